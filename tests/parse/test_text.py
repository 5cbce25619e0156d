import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st
from turbohtml import Element

from sitewright.parse import clean_line, clean_lines, visible_lines, visible_text, without


def body_of(html: str) -> Element:
    body = turbohtml.parse(html).select_one("body")
    assert body is not None
    return body


def lines_of(html: str, selector: str = "body") -> list[str]:
    return visible_lines(turbohtml.parse(html).select(selector))


@pytest.mark.parametrize(
    "unseen",
    [
        "<script>var x = 1</script>",
        "<style>p {color: red}</style>",
        "<template><p>X</p></template>",
        "<!-- X -->",
        "<noscript>X</noscript>",
        "<select><option>X</option></select>",
        "<button>X</button>",
        "<textarea>X</textarea>",
        "<svg><text>X</text></svg>",
        "<iframe>X</iframe>",
        "<object>X</object>",
        "<canvas>X</canvas>",
        "<audio>X</audio>",
        "<video>X</video>",
        "<dialog>X</dialog>",
        "<span hidden>X</span>",
        '<span style="display:none">X</span>',
        '<span style="color: red; Display: None">X</span>',
        '<span style="visibility:hidden">X</span>',
        '<span style="visibility: hidden">X</span>',
        "<div hidden><p>X <b>Y</b></p></div>",
        '<input value="X">',
        '<img alt="X">',
    ],
)
def test_what_a_reader_does_not_see_is_left_out(unseen: str) -> None:
    assert " ".join(lines_of(f"<div>One {unseen} two</div>")) == "One two"
    assert visible_text(body_of(f"<p>One {unseen} two</p>")) == "One two"


@pytest.mark.parametrize(
    "wrapper", ["<div hidden>{}</div>", '<div style="display: none">{}</div>', "<noscript>{}</noscript>"]
)
def test_only_what_is_hidden_inside_of_the_asked_node_counts(wrapper: str) -> None:
    tree = turbohtml.parse(wrapper.format('<p id="asked">Seen <span hidden>not</span></p>'))
    assert visible_lines(tree.select("#asked")) == ["Seen"]


def test_a_hidden_node_that_is_asked_for_is_read() -> None:
    assert lines_of("<p hidden>Asked <b>for</b></p>", "p") == ["Asked for"]


def test_pictures_inside_noscript_can_be_selected() -> None:
    tree = turbohtml.parse('<body><noscript><img src="a.jpg"></noscript>')
    assert [image.attr("src") for image in tree.select("noscript img")] == ["a.jpg"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>One</p><p>Two</p>", ["One", "Two"]),
        ("<p>One\n   and\t a half</p>", ["One and a half"]),
        ("<h1>Head</h1><p>One</p><h2>Sub</h2><p>Two</p>", ["Head", "One", "Sub", "Two"]),
        ("<p>One<br>Two<br/>Three</p>", ["One", "Two", "Three"]),
        ("<p>One <b>bold</b> <i>and</i> <a href=x>link</a>.</p>", ["One bold and link."]),
        ("<p>un<b>bro</b>ken</p>", ["unbroken"]),
        ("<ul><li>One<li>Two</ul>", ["One", "Two"]),
        ("<ol><li>One</li><li>Two</li></ol>", ["One", "Two"]),
        ("<ul><li>One<ul><li>Inner</li></ul></li><li>Two</li></ul>", ["One", "Inner", "Two"]),
        ("<ul><li><p>One</p><p>More</p></li></ul>", ["One", "More"]),
        ("<table><tr><th>Town<th>Votes<tr><td>Saltby<td>47</table>", ["Town | Votes", "Saltby | 47"]),
        ("<p>Before</p><table><tr><td>a</td></tr></table><p>After</p>", ["Before", "a", "After"]),
        ("<dl><dt>Term</dt><dd>Meaning</dd></dl>", ["Term", "Meaning"]),
        ("<p>He said</p><blockquote><p>One.</p><p>Two.</p></blockquote><p>End</p>", ["He said", "One.", "Two.", "End"]),
        ("<pre>one\n  two\nthree</pre>", ["one", "two", "three"]),
        ("<div>Loose<div>Inner</div>tail</div>", ["Loose", "Inner", "tail"]),
        ("<div>One</div><section><article>Two</article></section>", ["One", "Two"]),
        ("<figure><img src=a><figcaption>Caption</figcaption></figure><p>One", ["Caption", "One"]),
        ("<p>One</p><hr><p>Two</p>", ["One", "Two"]),
        ("<p></p><p> </p><p>\xa0</p><p>One</p>", ["One"]),
        ("<p>a\xadb\u200bc\u2060d\ufeffe\u200e\u200f</p>", ["abcde"]),
        ("<p>one\xa0two\u2003three</p>", ["one two three"]),
        ("<p>&lt;b&gt; &amp;amp; &copy;</p>", ["<b> &amp; ©"]),
        ("<p>中文<b>粗体</b>文字</p><p>第二段</p>", ["中文粗体文字", "第二段"]),
        ("<p>שלום <b>עולם</b></p>", ["שלום עולם"]),
        ("", []),
    ],
)
def test_one_line_a_block(html: str, expected: list[str]) -> None:
    assert lines_of(html) == expected


def test_a_removed_block_parts_the_text_around_it_and_an_inline_one_does_not() -> None:
    assert lines_of("<div>One<div hidden>X</div>two</div>") == ["One", "two"]
    assert lines_of("<div>One<span hidden>X</span>two</div>") == ["Onetwo"]


LONG = "This paragraph is long enough that nobody would write it twice on purpose."


def test_no_paragraph_stands_twice() -> None:
    assert lines_of(f"<p>{LONG}</p><p>Between</p><p>{LONG}</p>") == [LONG, "Between"]


def test_short_lines_may_stand_twice_but_not_side_by_side() -> None:
    assert lines_of("<p>La la</p><p>Verse</p><p>La la</p>") == ["La la", "Verse", "La la"]
    assert lines_of("<p>La la</p><p>La la</p>") == ["La la"]


def test_a_node_inside_another_selected_one_is_read_once() -> None:
    html = "<div id=a>Outer<p>Inner one</p><ul><li>Inner two</ul></div><p>Behind</p>"
    assert lines_of(html, "#a, #a p, #a li, p") == ["Outer", "Inner one", "Inner two", "Behind"]
    assert lines_of(html, "div, div *") == ["Outer", "Inner one", "Inner two"]


def test_siblings_after_a_nested_node_are_all_read() -> None:
    html = "<div><p>One <b>bold</b></p><p>Two</p></div><p>Three <i>x</i></p>"
    assert lines_of(html, "p, b, i") == ["One bold", "Two", "Three x"]


def test_visible_text_is_one_line() -> None:
    assert visible_text(body_of("<h1>One\n<br>two</h1><p>three</p>")) == "One two three"
    assert visible_text(body_of("plain \n text")) == "plain text"
    assert visible_text(body_of("")) == ""


HTML_PARTS = st.lists(
    st.sampled_from(
        [
            "<p>", "</p>", "<div>", "</div>", "<div hidden>", "<span style='display:none'>", "</span>", "<noscript>", "</noscript>",
            "<ul><li>", "</ul>", "<table><tr><td>", "</table>", "<br>", "<b>", "</b>", "<select><option>", "</select>", "<pre>\n a",
            "</pre>", "<svg><text>", "</svg>", "<script>x</script>", "<!-- c -->", "word ", "слово ", " ", "&nbsp;", "<img src=a>",
            "<template>", "</template>", "<video>", "</video>", "<blockquote>", "</blockquote>", "<dl><dt>", "<dd>", "</dl>", "<h2>", "</h2>",
        ]
    ),
    max_size=30,
).map("".join)  # fmt: skip


@given(HTML_PARTS, st.sampled_from(["body", "p", "div", "body *", "li, p, td"]))
def test_reading_leaves_the_tree_as_it_was(html: str, selector: str) -> None:
    tree = turbohtml.parse(html)
    before, elements = tree.html, list(tree.iter_elements())
    lines = visible_lines(tree.select(selector))
    for element in tree.select(selector):
        visible_text(element)
    assert tree.html == before
    assert list(tree.iter_elements()) == elements
    assert visible_lines(tree.select(selector)) == lines


@given(HTML_PARTS)
def test_lines_are_clean(html: str) -> None:
    lines = lines_of(html)
    assert [clean_line(line) for line in lines] == lines
    assert all(lines)


@given(HTML_PARTS)
def test_no_word_is_lost_or_made_up(html: str) -> None:
    """Where nothing is hidden, the visible words are those of the tree."""
    tree = turbohtml.parse(html)
    body = tree.select_one("body")
    if body is None or body.select("[hidden], [style], noscript, select, svg, video, script, template"):
        return
    words = "".join("".join(visible_lines([body])).split()).replace("|", "")
    everything = "".join(body.text.split())
    assert set(words) == set(everything)
    assert len(words) <= len(everything)


@given(HTML_PARTS, st.sampled_from(["p", "div", "b", "li", "[hidden]", "*"]))
def test_without_puts_everything_back(html: str, selector: str) -> None:
    tree = turbohtml.parse(f"<body><main>{html}</main>")
    before = tree.html
    taken = tree.select(f"main {selector}")
    with without(taken):
        assert tree.select(f"main {selector}") == [br for br in tree.select("main br") if selector == "*"]
    assert tree.html == before


def test_without_puts_everything_back_after_an_error() -> None:
    tree = turbohtml.parse("<p>a<b>b</b></p>")
    before = tree.html
    with pytest.raises(RuntimeError), without(tree.select("b")):  # noqa: PT012
        assert tree.select("b") == []
        raise RuntimeError
    assert tree.html == before


@given(st.text())
def test_clean_line_is_idempotent(text: str) -> None:
    once = clean_line(text)
    assert clean_line(once) == once
    assert "\n" not in once
    assert once == once.strip()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("One\n\n  Two \r\nThree\rFour", ["One", "Two", "Three", "Four"]),
        (f"{LONG}\n{LONG}", [LONG]),
        ("", []),
        (" \n\t\n", []),
        ("a\xa0b\u200b", ["a b"]),
    ],
)
def test_clean_lines(text: str, lines: list[str]) -> None:
    assert clean_lines(text) == lines

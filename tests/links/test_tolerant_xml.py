import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import PageTooLarge
from sitewright.links.tolerant_xml import MOST_TAGS, decode_xml, parse_xml

TEXT = "Пчёлы летят"


@pytest.mark.parametrize(
    "body",
    [
        TEXT.encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.encode("utf-16"),
        b"\xff\xfe" + TEXT.encode("utf-16le"),
        b"\xfe\xff" + TEXT.encode("utf-16be"),
    ],
)
def test_text_without_a_declaration(body: bytes) -> None:
    assert decode_xml(body) == TEXT


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("utf-8", "utf-8", TEXT),
        ("windows-1251", "cp1251", TEXT),
        ("koi8-r", "koi8-r", TEXT),
        ("iso-8859-1", "cp1252", "“Bées”"),
        ("gb2312", "gbk", "联通"),
        ("x-sjis", "shift_jis", "ミツバチ"),
        ("EUC-KR", "euc-kr", "꿀벌"),
        ("iso-2022-jp", "iso-2022-jp", "ミツバチ"),
        ("iso-8859-1", "utf-8", TEXT),  # says one thing, is another
        ("windows-1251", "utf-8", TEXT),
        ("utf-16", "utf-8", TEXT),
        ("us-ascii", "utf-8", TEXT),
        ("no-such-thing", "utf-8", TEXT),
        ("zlib", "utf-8", TEXT),
        ("utf-8", "cp1251", "Новости дня: в Москве сегодня ожидается дождь и ветер, завтра ясно"),
        ("utf-8", "cp1252", "Les élections législatives à l'étranger: où en est-on, déjà?"),
    ],
)
def test_text_with_a_declaration(label: str, codec: str, text: str) -> None:
    body = f"<?xml version='1.0' encoding='{label}'?><title>{text}</title>".encode(codec)
    assert decode_xml(body).endswith(f"<title>{text}</title>")


def test_utf_16_without_a_mark() -> None:
    assert decode_xml(f"<title>{TEXT}</title>".encode("utf-16le")) == f"<title>{TEXT}</title>"


def test_a_broken_character_does_not_change_the_encoding() -> None:
    body = (TEXT * 20).encode()
    assert decode_xml(body[:-1]) == (TEXT * 20)[:-1] + "\ufffd"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<a><b>1 &amp; 2</b></a>", "1 & 2"),
        ("<a><b>1 & 2</b></a>", "1 & 2"),
        ("<a><b>caf&eacute;&nbsp;&hellip;</b></a>", "café\xa0…"),
        ("<a><b>?x=1&copy=2&amp;y=3</b></a>", "?x=1&copy=2&y=3"),
        ("<a><b>&undefined; &lt;i&gt;</b></a>", "&undefined; <i>"),
        ("<a><b>&#233;&#xE9;</b></a>", "éé"),
        ("<a><b>&#0;&#5555555;&#xD800;</b></a>", "\ufffd\ufffd\ufffd"),
        ("<a><b>bell\x07 \ud800!</b></a>", "bell !"),
        ("<a><b><![CDATA[1 & 2 <i>]]></b></a>", "1 & 2 <i>"),
        ("<a><b>x & <![CDATA[1 & 2]]> & y</b></a>", "x & 1 & 2 & y"),
        ("<a><b>1 < 2</b></a>", "1 < 2"),
        ("<a><b>one<br>two</b></a>", "onetwo"),
        ("<a><b>one</b></i></a>", "one"),
        ("<a><b>one", None),
        ("<a><b>one</b><c", "one"),
        ("<a><b>one</b><!-- open", "one"),
        ("<a><b>one</b><![CDATA[ open", "one"),
        ("<a><b>one</a>", "one"),
        ("<a><!-- <b>no</b> --><b>one</b><?php <b>no</b> ?></a>", "one"),
        ("<a><p:b>other</p:b><b>one</b></a>", "one"),
        ("<a x=1 y='2'><b>one</b></a>", "one"),
        ('<a x="1"2" y=><b>one</b></a>', "one"),
        ("<a><b>one</b></a><b>two</b>", "one"),
        ("  \n<?xml version='1.0'?>\n<a><b>one</b></a>", "one"),
    ],
)
def test_text_is_found(text: str, expected: str | None) -> None:
    root = parse_xml(text)
    assert root is not None
    assert root.tag == "a"
    found = root.find("b")
    assert found is not None
    assert ("".join(found.itertext()) or None) == expected


def test_names_are_the_same_whether_a_file_is_broken_or_not() -> None:
    text = (
        '<r xmlns="urn:r" xmlns:p="urn:p" p:q="1"><p:a b="2"/><c xmlns="urn:c"><d/></c><e><f/></e>'
        '<xml xml:base="/x"/></r>'
    )
    whole, broken = parse_xml(text), parse_xml(text.replace("<f/>", "<f/></g>"))
    assert whole is not None
    assert broken is not None
    assert [(e.tag, e.attrib) for e in whole.iter()] == [(e.tag, e.attrib) for e in broken.iter()]


def test_usual_prefixes_need_no_declaration() -> None:
    root = parse_xml("<r><dc:date>1</dc:date></r>")
    assert root is not None
    assert root.find("{http://purl.org/dc/elements/1.1/}date") is not None


@pytest.mark.parametrize("text", ["", "no tags", "1 < 2", "<!-- -->", "</a>", "<?xml?>"])
def test_without_a_tag_there_is_no_tree(text: str) -> None:
    assert parse_xml(text) is None


def test_no_entity_is_expanded() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    root = parse_xml(f'<!DOCTYPE a [<!ENTITY l0 "ha">{laughs}]><a><b>&l11;</b></a>')
    assert root is not None
    assert root.findtext("b") == "&l11;"


def test_nothing_outside_is_loaded() -> None:
    root = parse_xml('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a><b>&x;</b></a>')
    assert root is not None
    assert root.findtext("b") == "&x;"


def test_too_many_tags_are_refused() -> None:
    with pytest.raises(PageTooLarge, match="tags"):
        parse_xml("<a/>" * (MOST_TAGS + 1))


SIZE = 300_000
HOSTILE = {
    "deep": "<a>" * SIZE + "</b>" * SIZE,
    "closed": "<a>" * SIZE + "</a>" * SIZE + "&",
    "comments": "<a>" + "<!-- " * SIZE,
    "sections": "<a>&" + "<![CDATA[" * SIZE,
    "bare": "<a>" + "<" * SIZE,
    "quotes": "<a>" + "<b x=\"'" * SIZE,
    "long tag": "<a>&<b " + "x" * SIZE * 3,
    "attributes": "<a>&" + ("<b " + "x " * 4000 + ">") * 50,
    "names": "<a>&" + ("<b " + "x" * 9000 + ">") * 50,
    "entities": "<a>&" + "&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" * (SIZE // 10),
    "namespaces": "<a>&" + "".join(f"<b xmlns:n{n}='u'>" for n in range(100_000)),
}


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_take_no_time(text: str) -> None:
    start = time.process_time()
    assert parse_xml(text) is not None
    assert time.process_time() - start < 60  # it takes less than a second; what grows by the square takes hours


@given(st.text(alphabet="<>/!?-[]CDATA &;#x=\"' \nabitemurl:", max_size=200))
def test_whatever_comes_is_read_or_not_but_never_fails(text: str) -> None:
    parse_xml(text)


@given(st.binary(max_size=200))
def test_any_bytes_can_be_decoded(body: bytes) -> None:
    assert isinstance(decode_xml(body), str)

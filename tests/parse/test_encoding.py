import codecs
import gzip
import random

import pytest

from sitewright.errors import NotHtml
from sitewright.parse import parse
from sitewright.types import Page

RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. Газета вышла утром."
CHINESE = "今天上午，市政府宣布了新的公共交通计划，市民们对此表示欢迎。"
JAPANESE = "市役所は今朝、新しい交通計画を発表しました。多くの人がそれを歓迎しています。カタカナも。"
KOREAN = "오늘 아침 시청은 새로운 교통 계획을 발표했습니다. 시민들은 환영했습니다."
TAIWANESE = "今天上午，市政府宣布了新的公共交通計畫，市民們對此表示歡迎。"
GERMAN = "Die Straßenbahn fährt früher, sagt Bürgermeister Özdemir: „Schön“."


def page(text: str, codec: str, *, meta: str = "", header: str = "", mark: bytes = b"") -> Page:
    head = f'<meta charset="{meta}">' if meta else ""
    html = f"<!DOCTYPE html><html><head>{head}<title>t</title></head><body><p>{text}</p></body></html>"
    headers = {"Content-Type": header} if header else {}
    return Page(url="https://example.com/", body=mark + html.encode(codec), headers=headers)


def text_of(of: Page) -> str:
    paragraph = parse(of).tree.select_one("p")
    assert paragraph is not None
    return paragraph.text


@pytest.mark.parametrize(
    ("text", "codec", "label"),
    [
        (RUSSIAN, "utf-8", "utf-8"),
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8-r", "koi8-r"),
        (CHINESE, "gbk", "gbk"),
        (CHINESE, "gb2312", "gb2312"),
        (CHINESE, "gb18030", "gb18030"),
        (JAPANESE, "cp932", "shift_jis"),
        (JAPANESE, "euc-jp", "euc-jp"),
        (JAPANESE, "iso-2022-jp", "iso-2022-jp"),
        (KOREAN, "euc-kr", "euc-kr"),
        (TAIWANESE, "big5", "big5"),
        (GERMAN, "cp1252", "iso-8859-1"),
        (GERMAN, "cp1252", "windows-1252"),
    ],
)
class TestDeclared:
    def test_in_meta(self, text: str, codec: str, label: str) -> None:
        assert text_of(page(text, codec, meta=label)) == text

    def test_in_the_header(self, text: str, codec: str, label: str) -> None:
        assert text_of(page(text, codec, header=f"text/html; charset={label}")) == text

    def test_in_the_header_quoted_and_in_capitals(self, text: str, codec: str, label: str) -> None:
        assert text_of(page(text, codec, header=f'TEXT/HTML;CHARSET="{label.upper()}"')) == text

    def test_the_header_beats_meta(self, text: str, codec: str, label: str) -> None:
        assert text_of(page(text, codec, meta="windows-1250", header=f"text/html; charset={label}")) == text


@pytest.mark.parametrize(
    ("text", "codec"),
    [(RUSSIAN, "utf-8"), (RUSSIAN, "cp1251"), (CHINESE, "gbk"), (JAPANESE, "cp932"), (KOREAN, "euc-kr")],
)
def test_undeclared_bytes_are_read_by_their_look(text: str, codec: str) -> None:
    assert text_of(page(" ".join([text] * 8), codec)) == " ".join([text] * 8)


@pytest.mark.parametrize("text", [RUSSIAN, CHINESE, JAPANESE, KOREAN, GERMAN])
@pytest.mark.parametrize(
    ("codec", "mark"),
    [("utf-8", codecs.BOM_UTF8), ("utf-16-le", codecs.BOM_UTF16_LE), ("utf-16-be", codecs.BOM_UTF16_BE)],
)
def test_a_byte_order_mark_beats_header_and_meta(text: str, codec: str, mark: bytes) -> None:
    assert text_of(page(text, codec, mark=mark)) == text
    assert text_of(page(text, codec, meta="windows-1251", header="text/html; charset=gbk", mark=mark)) == text


def test_the_older_spelling_of_meta() -> None:
    html = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>' + RUSSIAN
    assert text_of(Page(url="https://example.com/", body=html.encode("cp1251"))) == RUSSIAN


@pytest.mark.parametrize("label", ["no-such-charset", "utf8mb4", "none"])
def test_a_label_that_no_browser_knows_counts_as_none(label: str) -> None:
    assert text_of(page(RUSSIAN, "cp1251", meta="windows-1251", header=f"text/html; charset={label}")) == RUSSIAN


def test_a_wrong_label_still_gives_a_page() -> None:
    document = parse(page(RUSSIAN, "cp1251", header="text/html; charset=utf-8"))
    paragraph = document.tree.select_one("p")
    assert paragraph is not None
    assert "\ufffd" in paragraph.text


def test_header_names_are_of_any_case() -> None:
    body = page(RUSSIAN, "koi8-r").body
    for name in ("content-type", "Content-Type", "CONTENT-TYPE"):
        headers = {name: "text/html; charset=koi8-r"}
        assert text_of(Page(url="https://example.com/", body=body, headers=headers)) == RUSSIAN


def test_text_is_taken_as_it_is_and_has_no_encoding() -> None:
    document = parse(Page(url="https://example.com/", body=f'<meta charset="windows-1251"><p>{CHINESE}</p>'))
    assert document.encoding == ""
    assert document.tree.select("p")[0].text == CHINESE


@pytest.mark.parametrize(("codec", "label"), [("utf-8", "utf-8"), ("cp1251", "windows-1251"), ("cp932", "shift_jis")])
def test_a_document_names_its_encoding(codec: str, label: str) -> None:
    document = parse(page("Hello", codec, header=f"text/html; charset={label}"))
    assert document.encoding.lower() == label


RANDOM_BYTES = random.Random(7).randbytes(4096)


@pytest.mark.parametrize(
    "body",
    [
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1",
        b"\xff\xd8\xff\xe0\0\x10JFIF\0",
        b"GIF89a\1\0\1\0\x80\0\0",
        b"PK\x03\x04\x14\0\0\0",
        gzip.compress(b"<html>page</html>"),
        b"\xfd7zXZ\0\0\4",
        b"\x7fELF\2\1\1\0",
        RANDOM_BYTES,
        b"plain, but with a bell \x07 in it",
    ],
    ids=["pdf", "png", "jpeg", "gif", "zip", "gzip", "xz", "elf", "random", "bell"],
)
def test_other_kinds_of_files_are_refused(body: bytes) -> None:
    with pytest.raises(NotHtml):
        parse(Page(url="https://example.com/", body=body))


@pytest.mark.parametrize(
    "content_type",
    [
        "application/pdf",
        "image/png",
        "IMAGE/JPEG",
        "video/mp4",
        "application/octet-stream",
        "application/json; charset=utf-8",
    ],
)
def test_other_content_types_are_refused_by_name(content_type: str) -> None:
    with pytest.raises(NotHtml, match=content_type.partition(";")[0]):
        parse(Page(url="https://example.com/", body=b"<p>page</p>", headers={"Content-Type": content_type}))


@pytest.mark.parametrize(
    "content_type",
    ["", "text/html", "Text/HTML; charset=utf-8", "application/xhtml+xml", "application/xml", "text/plain", "text/xml"],
)
def test_content_types_that_may_hold_html_are_read(content_type: str) -> None:
    document = parse(Page(url="https://example.com/", body=b"<p>page</p>", headers={"Content-Type": content_type}))
    assert document.tree.select("p")[0].text == "page"


@pytest.mark.parametrize(
    "body",
    [b"<p>a\0b</p><p>page</p>", b"\0\0 <p>x</p><p>page</p>", b"  \n<!-- \0 --><p>x</p><p>page</p>"],
)
def test_null_bytes_in_a_page_do_no_harm(body: bytes) -> None:
    assert parse(Page(url="https://example.com/", body=body)).tree.select("p")[-1].text == "page"


@pytest.mark.parametrize("body", [b"", "", b"   \n", b"\xef\xbb\xbf", "no markup at all", b"no markup at all"])
def test_an_empty_page_is_a_page(body: bytes | str) -> None:
    document = parse(Page(url="https://example.com/", body=body))
    assert document.metadata.title == ""
    assert [element.tag for element in document.elements] == ["html", "head", "body"]

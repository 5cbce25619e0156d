"""A page and a random generator in, a broken page out; the same generator state gives the same page."""

# ruff: noqa: E501 -- lists of odd things read best as they are

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from bench.samples import StoredPage

Body = str | bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A page after some mutations, and their names."""

    url: str
    body: Body
    headers: Mapping[str, str] = field(default_factory=dict)
    time: object = None
    """The fetch time as a page file states it, which may be anything."""
    made_by: tuple[str, ...] = ()


Mutator = Callable[[Random, Mutant, Sequence[StoredPage]], Mutant]

LARGEST = 2_000_000
TAGS = (
    "a abbr address article aside b base blockquote body br button caption center col colgroup dd details dialog div dl "
    "dt em embed fieldset figcaption figure font form frameset h1 h2 h6 head header hr html i iframe img input li "
    "link main marquee math meta nav nobr noscript object ol optgroup option p picture plaintext pre ruby rt script "
    "section select source span style sub summary svg table tbody td template textarea tfoot th thead time title tr ul "
    "video xmp foreignObject annotation-xml mi"
).split()
DATES = (
    "9999-12-31T23:59:59Z", "9999-12-31", "0000-00-00", "0001-01-01T00:00:00+14:00", "2024-02-30", "2024-13-45T99:99:99",
    "2019-01-01T00:00:00+99:99", "Mon, 01 Jan 2020 00:00:00 +9999999999", "Mon, 01 Jan 2020 00:00:00 -99999", "Mon, 01 Jan 2020 00:00:00 +99999999999999999999",
    "Mon, 99 Jan 2020 25:61:61 GMT", "Tue, 29 Feb 2021 00:00", "1999999999", "1999999999999", "99999999999999999999",
    "vor 3 Stunden", "in 5 years", "tomorrow", "5 seconds ago", "99999999999 years ago", "１２月３１日２０９９年",
    "32/13/2020", "1/2/3", "00.00.0000", "yesterday at 25:99", "31 декабря 2999", "2024年13月40日 25時61分", "12 Tháng 13",
    "20240230", "20991231235959", "2024-01-01T00:00:00.123456789123+00:00", "²⁰²⁴-⁰¹-⁰¹", "٣١/١٢/٢٠٩٩", "Jan 1, 2600",
    "24:00 31.12.2023", "P3Y6M", "-2024-01-01", "+12024-01-01", "\x00", "２０２４－０１－０１", "1 ⅓ 2024", "2024-W53-7", "noon",
    "2023-12-31T24:00:00", "12 AM 1 May 2020", "1. mai 2020 kl. 12.61", "99:99 PM 2020-01-01", "0 0 0", "1e309", "NaN",
)  # fmt: skip
URLS = (
    "http://[::1", "http://[::1]:99999999/", "https://exa mple.com/ü?q=%", "//", "///", "http://", "http:///a", "https:a",
    "javascript:void(0)", "http://a:b@c:d/e", "http://example.com:port/", "https://xn--/", "https://xn--a/", "http://\u2100.com/",
    "http://example.com/%zz%%%", "http://example.com/?" + "&" * 50, "http://example.com/?utm_source", "?#", "#", "..",
    "http://EXAMPLE.com:80/../../a/./b/..//?b=1&a=2&a=1&utm_x=1#f", "http://example.com/?a=%26&b=%3D%23", "http://１２７.0.0.1/",
    "http://0x7f.1/", "http://example.com./", "http://.example.com/", "http://exa\tmple.com/\n", "\x00http://a/", "http://a/\ud800",
    "http://a/%ed%a0%80", "http://user@:80/", "http://a?b?c#d#e", "file:///etc/passwd", "data:text/html,x", "mailto:a@b",
    "http://a/;p=1;q=2?x;y", "http://a/b?fbclid=1&x=%20+%20", "HTTP://A/%7Eb/%2e%2e/%2F", "https://example.com/a?gclid=%", "http:\\\\a\\b",
    "https://bücher.example/ß", "https://faß.de/", "http://a/?%u0041=1", "https://" + "a" * 300 + ".com/", "https://e.com/" + "a/" * 3000,
)  # fmt: skip
CHARSETS = (
    "utf-8", "utf-16", "utf-16be", "utf-7", "windows-1251", "shift_jis", "euc-kr", "gb18030", "big5", "iso-2022-jp", "koi8-r",
    "x-user-defined", "replacement", "hz-gb-2312", "unicode", "none", "", "utf-8\x00", "x" * 500, "iso-8859-16", "macintosh",
)  # fmt: skip
TIMES = (
    "9999-12-31T23:59:59+00:00", "9999-12-31", "0001-01-01T00:00:00+00:00", "0001-01-01T00:00:00+14:00", 0, -1, 1e18, 1e308,
    253402300799, -62135596800, "yesterday", "", [], {}, True, "2024-01-01T00:00:00+23:59", "2024-01-01", [[[]]], 1.5,
    "1980-01-01T00:00:00-12:00", "1969-12-31",
)  # fmt: skip
STAMP = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.+Z-]*)?")


def mutate(chance: Random, pages: Sequence[StoredPage], number: int) -> Mutant:
    """Return a page with one to four mutations, under a URL of its own."""
    page = chance.choice(pages)
    mutant = Mutant(url=_numbered(page.url, number), body=page.html)
    heavy = chance.random() < HEAVY_SHARE
    for name in [
        *chance.choices(list(LIGHT), k=chance.randint(1, 4)),
        *([chance.choice(list(HEAVY))] if heavy else []),
    ]:
        mutant = replace(MUTATORS[name](chance, mutant, pages), made_by=(*mutant.made_by, name))
    return mutant


def _numbered(url: str, number: int) -> str:
    return f"{url}{'&' if '?' in url else '?'}mutant={number}"


def as_text(body: Body) -> str:
    """Return a body as text, byte by byte where it is not UTF-8."""
    return body if isinstance(body, str) else body.decode("utf-8", "replace")


def as_bytes(body: Body) -> bytes:
    """Return a body as bytes; half surrogates become what UTF-8 would write for them."""
    return body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")


def _on_text(change: Callable[[Random, str, Sequence[StoredPage]], str]) -> Mutator:
    def mutator(chance: Random, mutant: Mutant, pages: Sequence[StoredPage]) -> Mutant:
        return replace(mutant, body=change(chance, as_text(mutant.body), pages))

    return mutator


def _insert(chance: Random, text: str, piece: str) -> str:
    """Put a piece where a tag begins (mostly near the front, where maps look), or anywhere."""
    place = (
        text.find("<", chance.randrange(len(text) + 1)) if chance.random() < 0.8 else chance.randrange(len(text) + 1)
    )
    return text[: max(place, 0)] + piece + text[max(place, 0) :]


def flip_bytes(chance: Random, mutant: Mutant, _: Sequence[StoredPage]) -> Mutant:
    """Change some bytes to any others."""
    body = bytearray(as_bytes(mutant.body))
    for _n in range(min(len(body), chance.choice((1, 8, 64, 1024)))):
        body[chance.randrange(len(body))] = chance.randrange(256)
    return replace(mutant, body=bytes(body))


def truncate(chance: Random, mutant: Mutant, _: Sequence[StoredPage]) -> Mutant:
    """Cut the page off anywhere."""
    return replace(mutant, body=mutant.body[: chance.randrange(len(mutant.body) + 1)])


def splice(chance: Random, text: str, pages: Sequence[StoredPage]) -> str:
    """Go on in the middle of another page."""
    other = chance.choice(pages).html
    return text[: chance.randrange(len(text) + 1)] + other[chance.randrange(len(other) + 1) :]


def tag_soup(chance: Random, text: str, _: Sequence[StoredPage]) -> str:
    """Strew in start and end tags that do not match, and bits of markup."""
    for _n in range(chance.choice((1, 5, 50, 300))):
        tag = chance.choice(TAGS)
        soup = (f"<{tag}>", f"</{tag}>", f"<{tag}/>", f"<{tag} class='story__body text' hidden>", f"<{tag}", "<!--", "-->",
                "<![CDATA[", "]]>", "<!doctype html>", "<?xml?>", "</", "<>", "&#xD800;", "&#x110000;", "&#0;", "&notit;", '"', "'>")  # fmt: skip
        text = _insert(chance, text, chance.choice(soup))
    return text


def repeat_fragment(chance: Random, text: str, _: Sequence[StoredPage]) -> str:
    """Repeat a piece of the page many times."""
    start = chance.randrange(len(text) + 1)
    piece = text[start : start + chance.choice((10, 100, 2000))] or "<p>"
    size = chance.choice((10_000, 100_000, 300_000))
    return (text[:start] + piece * (size // len(piece)) + text[start:])[:LARGEST]


def repeat_to_the_limit(chance: Random, text: str, _: Sequence[StoredPage]) -> str:
    """Repeat a piece until the page has two megabytes."""
    start = chance.randrange(len(text) + 1)
    piece = text[start : start + chance.choice((5, 50, 500, 5000))] or "<b>"
    return (text[:start] + piece * (LARGEST // len(piece)) + text[start:])[:LARGEST]


def nest_deep(chance: Random, text: str, _: Sequence[StoredPage]) -> str:
    """Open elements within elements."""
    tag = chance.choice(TAGS)
    return _insert(chance, text, f"<{tag}>" * chance.choice((100, 500, 520, 3000)))


def nest_abysmally(chance: Random, text: str, _: Sequence[StoredPage]) -> str:
    """Open very many elements, perhaps of several kinds in turn."""
    kinds = "".join(f"<{chance.choice(TAGS)}>" for _n in range(chance.randint(1, 3)))
    return _insert(chance, text, kinds * chance.choice((20_000, 100_000)))


def attribute_bomb(chance: Random, text: str, _: Sequence[StoredPage]) -> str:
    """Give an element very many attributes."""
    count = chance.choice((10_000, 100_000, 1_000_000))
    same = chance.random() < 0.3
    return _insert(chance, text, f"<p {' '.join('a' if same else f'a{number}' for number in range(count))}>bomb</p>")


def absurd_attributes(chance: Random, text: str, _: Sequence[StoredPage]) -> str:
    """Insert tables, lists and pictures whose numbers no layout survives."""
    number = chance.choice(
        ("9e15", "9000000000000000", "-1", "0", "65534", "1e308", "99999999999999999999", "½", "٣", "1.5px", "")
    )
    pieces = (
        f"<table><tr><td colspan={number} rowspan={number}>cell<td>other</table>",
        f"<ol start={number} reversed><li value={number}>one<li>two</ol>",
        f"<figure><img src=a.jpg width={number} height={number}><figcaption>x</figcaption></figure>",
        f"<table><colgroup span={number}><col span={number}><tr><td>x</table>",
        f"<article><h1>t</h1><table border>{'<tr><td rowspan=1000 colspan=1000>x' * 3}</table></article>",
        f"<textarea rows={number} cols={number}>x</textarea><font size={number}>x</font>",
    )
    return _insert(chance, text, chance.choice(pieces))


def null_bytes(chance: Random, text: str, _: Sequence[StoredPage]) -> str:
    """Strew in characters that text should not have."""
    for _n in range(chance.choice((1, 10, 200))):
        text = _insert(
            chance,
            text,
            chance.choice("\x00\x01\x0b\x0c\x1b\x7f\x85\u00ad\u200b\u2028\u202e\ufeff\ufffe\U000e0001\U0010ffff"),
        )
    return text


def half_surrogates(chance: Random, text: str, _: Sequence[StoredPage]) -> str:
    """Strew in halves of surrogate pairs, which a JSON line can carry."""
    for _n in range(chance.choice((1, 10))):
        text = _insert(
            chance,
            text,
            chance.choice(("\ud800", "\udfff", "\udc00\ud800", "<p>\ud83d long enough to be a paragraph, surely</p>")),
        )
    return text


def wrong_charset(chance: Random, mutant: Mutant, _: Sequence[StoredPage]) -> Mutant:
    """Declare one encoding and use another."""
    text = f'<meta charset="{chance.choice(CHARSETS)}">' + as_text(mutant.body)
    used = chance.choice(("utf-8", "utf-16", "cp1251", "shift_jis", "gb18030", "latin-1", "utf-32"))
    served = chance.choice(("text/html", "application/xhtml+xml", "", "TEXT/HTML", "image/png", "text/html;;;"))
    charset = f"; charset={chance.choice(CHARSETS)}" if chance.random() < 0.7 else ""
    return replace(mutant, body=text.encode(used, "replace"), headers={"Content-Type": served + charset})


def broken_jsonld(chance: Random, text: str, _: Sequence[StoredPage]) -> str:
    """Insert a block of structured data that is hard to read."""
    block = chance.choice(JSONLD)(chance)
    kind = chance.choice(("application/ld+json", "application/LD+JSON;charset=utf-8"))
    piece = f'<script type="{kind}">{block}</script>'
    return piece + text if chance.random() < 0.5 else _insert(chance, text, piece)


def cut_jsonld(chance: Random, text: str, _: Sequence[StoredPage]) -> str:
    """Damage a block that the page has."""
    start = text.find("ld+json")
    if start < 0:
        return broken_jsonld(chance, text, _)
    place = start + chance.randrange(4000)
    return (
        text[:place]
        + chance.choice(('"', "}", "]", "[", "{", "\\", "\n", "&quot;", "//", "</script>", ",", "\x00", "1e999"))
        + text[place:]
    )


def _article(**entries: object) -> str:
    return json.dumps({"@context": "https://schema.org", "@type": "NewsArticle", **entries})


def _nested(chance: Random) -> str:
    depth = chance.choice((50, 900, 1020, 5000, 100_000))
    return f'{{"@type":"NewsArticle","articleBody":{"[" * depth}"x"{"]" * depth}}}'


def _nested_names(chance: Random) -> str:
    depth = chance.choice((50, 500, 960, 1010))
    key, name = (
        chance.choice(("author", "keywords", "image", "datePublished", "headline", "url")),
        chance.choice(("name", "url", "@id")),
    )
    return f'{{"@type":"NewsArticle","{key}":{f"{{{chr(34)}{name}{chr(34)}:" * depth}"x"{"}" * depth}}}'


def _numbers(chance: Random) -> str:
    number = chance.choice(
        (
            "1e999",
            "-1e999",
            "9" * 400,
            "9" * 5000,
            "1.0000000000000000000001",
            "NaN",
            "Infinity",
            "-0",
            "0x10",
            "1" * 20,
        )
    )
    key = chance.choice(
        ("headline", "datePublished", "author", "keywords", "articleBody", "image", "articleSection", "price")
    )
    return f'{{"@type":"NewsArticle","{key}":{number}}}'


def _surrogates(chance: Random) -> str:
    half = chance.choice(("\\ud800", "\\udfff", "\\ud83d\\ud83d", "\\u0000"))
    key = chance.choice(("headline", "author", "keywords", "articleBody", "image", "datePublished", "@type", "@id"))
    return f'{{"@type":"NewsArticle","headline":"{half} x","{key}":"a{half}b"}}'


def _cycles(chance: Random) -> str:
    graph = [
        {
            "@type": "NewsArticle",
            "@id": "#a",
            "author": {"@id": "#b"},
            "image": {"@id": "#a"},
            "headline": {"@id": "#a"},
        },
        {"@type": "Person", "@id": "#b", "name": {"@id": "#b"}},
    ]
    return json.dumps({"@graph": graph * chance.choice((1, 1000, 4000))})


def _odd_kinds(chance: Random) -> str:
    odd = chance.choice(
        (
            [],
            {},
            [[]],
            [{}],
            None,
            True,
            0,
            -1.5,
            "",
            {"@value": {"@value": []}},
            [None, [None]],
            {"": ""},
            {"name": [1, {"url": 2}]},
        )
    )
    keys = (
        "headline",
        "datePublished",
        "author",
        "keywords",
        "articleBody",
        "image",
        "articleSection",
        "@type",
        "@id",
        "description",
    )
    return _article(**dict.fromkeys(chance.sample(keys, 4), odd))


def _repeated_bodies(chance: Random) -> str:
    paragraph = "A paragraph that is long enough to count as one and stands here more than once."
    return _article(articleBody=[paragraph] * chance.randint(2, 5), headline=[paragraph, paragraph])


def _wide(chance: Random) -> str:
    count = chance.choice((1000, 6000, 50_000))
    return _article(
        keywords=[f"k{number}" for number in range(count)], author=[{"name": f"n{number}"} for number in range(count)]
    )


def _commas(chance: Random) -> str:
    return chance.choice(
        (
            '{"a":1' + "," * 50_000,
            "[" + "1," * 50_000,
            '{"headline":"' + '\\"' * 20_000,
            '"' * 30_000,
            "/*" * 20_000,
            "<!--" * 20_000,
        )
    )


def _pictures(chance: Random) -> str:
    return _article(
        image=[
            {"url": chance.choice(URLS), "caption": {"name": []}, "author": [{}, "x"]},
            chance.choice(URLS),
            5,
            None,
        ],
        url=chance.choice(URLS),
    )


def _dated(chance: Random) -> str:
    return _article(
        datePublished=chance.choice(
            (chance.choice(DATES), [chance.choice(DATES)], {"@value": chance.choice(DATES)}, 1999999999, 1e300)
        )
    )


JSONLD = (
    _nested,
    _nested_names,
    _numbers,
    _surrogates,
    _cycles,
    _odd_kinds,
    _repeated_bodies,
    _wide,
    _commas,
    _pictures,
    _dated,
)


def weird_urls(chance: Random, mutant: Mutant, _: Sequence[StoredPage]) -> Mutant:
    """Put odd addresses into links and pictures, a `<base>`, or the page's own URL."""
    text = as_text(mutant.body)
    for _n in range(chance.choice((1, 20))):
        address = chance.choice(URLS)
        pieces = (
            f'<a rel="author tag" href="{address}">x</a>',
            f'<img src="{address}">',
            f'<base href="{address}">',
            f'<link rel=canonical href="{address}">',
        )
        text = _insert(chance, text, chance.choice(pieces))
    if chance.random() < 0.3:
        return replace(mutant, body=text, url=_numbered(chance.choice(URLS), chance.randrange(10**9)))
    return replace(mutant, body=text)


def broken_srcset(chance: Random, text: str, _: Sequence[StoredPage]) -> str:
    """Insert pictures with candidate lists that are hard to read."""
    values = ("a.jpg 1e999w, b.jpg .w,,, c", ",,,,", "a " * 2000, "a.jpg 1w 2w 3x,", "a.jpg 99999999999999999999999w", "x" * 50_000, ", " * 20_000,
              "data:image/png;base64,AA== 1x, b.jpg 2x", "a.jpg ١w", "a.jpg 1..2x", "a" + "," * 30_000 + " b", "a.jpg 2w, " * 5000, " " * 50_000 + "a")  # fmt: skip
    value = chance.choice(values)
    name = chance.choice(("srcset", "data-srcset", "data-src", "src"))
    return _insert(
        chance,
        text,
        f'<figure class=figure><picture><source {name}="{value}"><img {name}="{value}"></picture><figcaption>{value[:3000]}</figcaption></figure>',
    )


def absurd_dates(chance: Random, text: str, _: Sequence[StoredPage]) -> str:
    """Change the page's own dates, and insert others where maps look for them."""
    if chance.random() < 0.7:
        text = STAMP.sub(lambda found: chance.choice(DATES) if chance.random() < 0.5 else found[0], text)
    moment = (
        chance.choice(DATES)
        if chance.random() < 0.7
        else "".join(chance.choices("0123456789-/:. TZ+年月ap", k=chance.randint(1, 40)))
    )
    pieces = (f'<time class="story__date" datetime="{moment}">{moment}</time>', f"<span class=date>{moment}</span>", f"<time>{moment}</time>",
              f'<meta property="article:published_time" content="{moment}">', f'<meta itemprop=datePublished content="{moment}">')  # fmt: skip
    return chance.choice(pieces) + text if chance.random() < 0.6 else _insert(chance, text, chance.choice(pieces))


def odd_times(chance: Random, mutant: Mutant, _: Sequence[StoredPage]) -> Mutant:
    """State an odd fetch time."""
    return replace(mutant, time=chance.choice(TIMES))


def tiny(chance: Random, mutant: Mutant, _: Sequence[StoredPage]) -> Mutant:
    """Leave almost nothing of the page."""
    return replace(
        mutant,
        body=chance.choice(
            (
                "",
                " ",
                "<",
                "\x00",
                "<html",
                "&",
                "<p>",
                "plain text",
                "%PDF-1.4",
                b"\xff\xfe",
                b"\xef\xbb\xbf",
                b"GIF89a",
                "{}",
                "<!--",
                "\ufeff",
            )
        ),
    )


LIGHT: Mapping[str, Mutator] = {
    "flip_bytes": flip_bytes,
    "truncate": truncate,
    "splice": _on_text(splice),
    "tag_soup": _on_text(tag_soup),
    "nest_deep": _on_text(nest_deep),
    "absurd_attributes": _on_text(absurd_attributes),
    "null_bytes": _on_text(null_bytes),
    "half_surrogates": _on_text(half_surrogates),
    "wrong_charset": wrong_charset,
    "broken_jsonld": _on_text(broken_jsonld),
    "cut_jsonld": _on_text(cut_jsonld),
    "weird_urls": weird_urls,
    "broken_srcset": _on_text(broken_srcset),
    "absurd_dates": _on_text(absurd_dates),
    "odd_times": odd_times,
    "tiny": tiny,
}
HEAVY: Mapping[str, Mutator] = {
    "repeat_fragment": _on_text(repeat_fragment),
    "repeat_to_the_limit": _on_text(repeat_to_the_limit),
    "nest_abysmally": _on_text(nest_abysmally),
    "attribute_bomb": _on_text(attribute_bomb),
}
MUTATORS: Mapping[str, Mutator] = {**LIGHT, **HEAVY}
HEAVY_SHARE = 0.02
"""Heavy pages take a hundred times the time of others; so many of them take about half the run."""

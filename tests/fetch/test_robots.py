import time

import pytest

from sitewright.fetch.robots import FORBID_ALL, MOST_CHARACTERS, parse_robots

AGENT = "Sitewright/0.1.0 (collects news pages)"


def lines(*fields: str) -> str:
    return "\n".join(fields)


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("", "/", True),
        (lines("User-agent: *", "Disallow: /"), "/", False),
        (lines("User-agent: *", "Disallow: /"), "/robots.txt", True),
        (lines("User-agent: *", "Disallow:"), "/a", True),
        (lines("User-agent: *", "Disallow: /private"), "/private/a", False),
        (lines("User-agent: *", "Disallow: /private"), "/privateer", False),
        (lines("User-agent: *", "Disallow: /private"), "/public", True),
        (lines("User-agent: *", "Disallow: /a", "Allow: /a/b"), "/a/b/c", True),
        (lines("User-agent: *", "Allow: /a/b", "Disallow: /a"), "/a/c", False),
        (lines("User-agent: *", "Allow: /a", "Disallow: /a"), "/a", True),
        (lines("User-agent: *", "Disallow: /*.pdf$"), "/x/y.pdf", False),
        (lines("User-agent: *", "Disallow: /*.pdf$"), "/x/y.pdf?z", True),
        (lines("User-agent: *", "Disallow: /*/print"), "/a/b/print/2", False),
        (lines("User-agent: *", "Disallow: *print"), "/a/print", False),
        (lines("User-agent: *", "Disallow: /a*b*c$"), "/a1b2c", False),
        (lines("User-agent: *", "Disallow: /a*b*c$"), "/a1b2cd", True),
        (lines("User-agent: *", "Disallow: /$"), "/", False),
        (lines("User-agent: *", "Disallow: /$"), "/a", True),
        (lines("User-agent: *", "Disallow: /*?"), "/a?b=1", False),
        (lines("User-agent: *", "Disallow: private"), "/private", True),
        (lines("User-agent: *", "Disallow: /пчёлы"), "/%D0%BF%D1%87%D1%91%D0%BB%D1%8B/1", False),
        (lines("User-agent: *", "Disallow: /%7Ejoe"), "/~joe", False),
        (lines("User-agent: *", "Disallow: /a%2fb"), "/a%2Fb", False),
        (lines("User-agent: *", "Disallow: / # all of it"), "/a", False),
        (lines("\ufeffUser-agent: *", "Disallow: /"), "/a", False),
        ("user-AGENT : *\r\nDISALLOW : /\r\n", "/a", False),
        (lines("Disallow: /"), "/a", True),
        (lines("User-agent: *", "Disallow: /", "", "User-agent: Sitewright", "Disallow: /b"), "/a", True),
        (lines("User-agent: *", "Disallow: /", "", "User-agent: Sitewright", "Disallow: /b"), "/b", False),
        (lines("User-agent: Sitewright", "", "User-agent: *", "Disallow: /"), "/a", False),
        (lines("User-agent: *", "Disallow: /", "", "User-agent: Sitewright"), "/a", True),
        (lines("User-agent: other", "User-agent: sitewright/2.0", "Disallow: /a"), "/a", False),
        (lines("User-agent: other", "Disallow: /", "User-agent: *", "Disallow: /b"), "/a", True),
        (lines("User-agent: 360Spider", "Disallow: /"), "/a", True),
        (lines("User-agent: sitewrightish", "Disallow: /"), "/a", True),
        (lines("User-agent: sitewright", "Disallow: /a", "User-agent: x", "Disallow: /", "User-agent: sitewright", "Disallow: /b"), "/b", False),
        (lines("User-agent: *", "Sitemap: https://example.com/s.xml", "Disallow: /a"), "/a", False),
        ("<!doctype html><title>404</title>\nUser-agent: *\nDisallow: /\n", "/a", True),
        ("\x00\xff binary \x01\n" * 3, "/a", True),
    ],
)  # fmt: skip
def test_what_may_be_fetched(text: str, path: str, allowed: bool) -> None:
    assert parse_robots(text, AGENT).allows(path) is allowed


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("User-agent: *\nCrawl-delay: 2.5", 2.5),
        ("User-agent: *\nCrawl-delay: soon", 0.0),
        ("User-agent: *\nCrawl-delay: -3", 0.0),
        ("User-agent: other\nCrawl-delay: 9", 0.0),
        ("", 0.0),
    ],
)
def test_how_long_to_wait(text: str, delay: float) -> None:
    assert parse_robots(text, AGENT).delay == delay


def test_a_program_that_poses_as_a_browser_goes_by_its_own_name() -> None:
    text = "User-agent: BeeBot\nDisallow: /a\n\nUser-agent: Mozilla\nDisallow: /b\n"
    robots = parse_robots(text, "Mozilla/5.0 (compatible; BeeBot/1.0; +https://example.com/bot)")
    assert (robots.allows("/a"), robots.allows("/b")) == (False, True)


def test_only_the_beginning_of_an_endless_file_is_read() -> None:
    text = "User-agent: *\nDisallow: /a\n" + "#" * MOST_CHARACTERS + "\nDisallow: /b\n"
    robots = parse_robots(text, AGENT)
    assert (robots.allows("/a"), robots.allows("/b")) == (False, True)


def test_everything_can_be_forbidden() -> None:
    assert not FORBID_ALL.allows("/")


def test_hostile_patterns_take_no_time() -> None:
    stars = "User-agent: *\nDisallow: /" + "a*" * 50_000 + "b\n"
    crowd = "".join(f"User-agent: b{n}\n" for n in range(15_000)) + "Disallow: /x\n" * 15_000
    start = time.process_time()
    assert parse_robots(stars, AGENT).allows("/" + "a" * 60_000)
    assert parse_robots(crowd, AGENT).allows("/x")
    assert time.process_time() - start < 60  # half a second; to try all ways would take years, all pairs minutes

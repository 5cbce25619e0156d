"""A newspaper in, what it publishes for machines out: sitemap, RSS feed, robots.txt."""

from collections.abc import Iterable
from email.utils import format_datetime
from xml.sax.saxutils import escape

from sitewright.demo.newspaper import Newspaper, story_path
from sitewright.demo.story import Story

FEED_LENGTH = 20


def sitemap(paper: Newspaper, list_paths: Iterable[str]) -> str:
    """Return the sitemap of the stories and of the lists."""
    lists = "".join(f"<url><loc>{escape(paper.absolute(path))}</loc></url>\n" for path in list_paths)
    stories = "".join(
        f"<url><loc>{escape(paper.absolute(story_path(story)))}</loc>"
        f"<lastmod>{(story.modified or story.published).isoformat()}</lastmod></url>\n"
        for story in paper.stories
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{lists}{stories}</urlset>\n'
    )


def feed(paper: Newspaper) -> str:
    """Return the RSS feed of the newest stories."""
    items = "".join(_item(paper, story) for story in paper.stories[:FEED_LENGTH])
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<channel>\n<title>{escape(paper.words.name)}</title><link>{escape(paper.absolute('/'))}</link>"
        f"<description>{escape(paper.words.tagline)}</description><language>{paper.words.language}</language>\n"
        f"{items}</channel></rss>\n"
    )


def robots(paper: Newspaper, sitemap_path: str = "/sitemap.xml") -> str:
    """Return what robots are asked to do, and where the sitemap is, unless its path is empty."""
    pointer = f"Sitemap: {paper.absolute(sitemap_path)}\n" if sitemap_path else ""
    return f"User-agent: *\nDisallow: /embed/\n{pointer}"


def _item(paper: Newspaper, story: Story) -> str:
    url = escape(paper.absolute(story_path(story)))
    creators = "".join(f"<dc:creator>{escape(name)}</dc:creator>" for name in story.author_names)
    categories = "".join(f"<category>{escape(section.name)}</category>" for section in story.sections)
    return (
        f"<item><title>{escape(story.headline)}</title><link>{url}?utm_source=rss</link>"
        f'<guid isPermaLink="true">{url}</guid><description>{escape(story.subtitle)}</description>'
        f"<pubDate>{format_datetime(story.published)}</pubDate>{creators}{categories}</item>\n"
    )

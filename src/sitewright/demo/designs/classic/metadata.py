"""A story in, what its page tells machines out: OpenGraph, Twitter, Dublin Core, JSON-LD."""

import json
from datetime import UTC, datetime
from html import escape
from typing import Any

from sitewright.demo.newspaper import Newspaper, author_path, embed_path, picture_path, section_path, story_path
from sitewright.demo.story import Story

Node = dict[str, Any]


def meta_tags(paper: Newspaper, story: Story) -> str:
    """Return the meta elements of a story's page."""
    pairs = [*_open_graph(paper, story), *_article(story), *_twitter(story)]
    if story.kind == "video":
        pairs += _dublin_core(paper, story)
    return "\n".join(_meta(name, content) for name, content in pairs if content)


def json_ld(paper: Newspaper, story: Story) -> str:
    """Return the JSON-LD script of a story; sites differ, so do our pages: graph, array, single, slightly broken."""
    if story.kind == "gallery":
        return ""
    main = _main_node(paper, story)
    if story.kind == "video":
        return _script(paper, [main, _breadcrumbs(paper, story)])
    match story.number % 4:
        case 0:
            graph = [_publisher(paper), _breadcrumbs(paper, story), main]
            return _script(paper, {"@context": "https://schema.org", "@graph": graph})
        case 1:
            return _script(paper, [_breadcrumbs(paper, story), main])
        case 2 if is_broken(story):
            return _script(paper, main).replace("}\n</script>", ",}\n</script>")
        case _:
            return _script(paper, main)


def is_broken(story: Story) -> bool:
    """Tell whether this page's JSON-LD has a comma too many, as those of real sites have."""
    return story.kind == "article" and story.number % 12 == 2


def iso(moment: datetime) -> str:
    """Write a moment with its offset."""
    return moment.isoformat()


def _meta(name: str, content: str) -> str:
    attribute = "property" if ":" in name and not name.startswith("twitter:") else "name"
    return f'<meta {attribute}="{name}" content="{escape(content)}">'


def _open_graph(paper: Newspaper, story: Story) -> list[tuple[str, str]]:
    image = paper.absolute(picture_path(story.pictures[0], 960)) if story.pictures else ""
    return [
        ("description", story.subtitle),
        ("og:site_name", paper.words.name),
        ("og:type", "video.other" if story.kind == "video" else "article"),
        ("og:title", story.headline),
        ("og:description", story.subtitle),
        ("og:url", paper.absolute(story_path(story))),
        ("og:image", image),
        ("og:locale", paper.words.language),
    ]


def _article(story: Story) -> list[tuple[str, str]]:
    if story.kind in {"video", "gallery"}:
        return []
    return [
        ("article:published_time", iso(story.published)),
        ("article:modified_time", iso(story.modified) if story.modified else ""),
        ("article:section", story.sections[0].name),
        *(("article:tag", tag.name) for tag in story.tags),
        ("keywords", ", ".join(tag.name for tag in story.tags)),
    ]


def _twitter(story: Story) -> list[tuple[str, str]]:
    card = "summary_large_image" if story.pictures else "summary"
    return [("twitter:card", card), ("twitter:title", story.headline)]


def _dublin_core(paper: Newspaper, story: Story) -> list[tuple[str, str]]:
    return [
        ("DC.title", story.headline),
        ("DC.creator", "; ".join(story.author_names)),
        ("DC.date", f"{story.published:%Y-%m-%d}"),
        ("DC.language", paper.words.language),
        ("DC.publisher", paper.words.name),
    ]


def _main_node(paper: Newspaper, story: Story) -> Node:
    node: Node = {
        "@context": "https://schema.org",
        "@type": {"video": "VideoObject", "live": "LiveBlogPosting"}.get(story.kind, "NewsArticle"),
        "headline": story.headline,
        "description": story.subtitle,
        "mainEntityOfPage": paper.absolute(story_path(story)),
        "image": [paper.absolute(picture_path(picture, picture.width)) for picture in story.pictures[:1]],
        "author": _authors(paper, story),
        "publisher": _publisher(paper),
        "articleSection": [section.name for section in story.sections],
        "keywords": [tag.name for tag in story.tags],
    }
    node |= _video_dates(paper, story) if story.kind == "video" else _article_dates(story)
    if story.kind == "live":
        node["liveBlogUpdate"] = [
            {"@type": "BlogPosting", "datePublished": iso(entry.moment)} for entry in story.entries
        ]
    return {key: value for key, value in node.items() if value}


def _article_dates(story: Story) -> Node:
    """Return the dates in UTC: the offset of the page's own `time` elements is not the only one seen."""
    modified = story.modified.astimezone(UTC) if story.modified else None
    return {
        "datePublished": iso(story.published.astimezone(UTC)).replace("+00:00", "Z"),
        "dateModified": iso(modified).replace("+00:00", "Z") if modified else "",
    }


def _video_dates(paper: Newspaper, story: Story) -> Node:
    return {
        "name": story.headline,
        "uploadDate": f"{story.published:%Y-%m-%d}",
        "embedUrl": paper.absolute(embed_path(story)),
        "duration": f"PT{1 + story.number % 4}M{10 + story.number % 49}S",
    }


def _authors(paper: Newspaper, story: Story) -> list[Node]:
    if story.agency:
        return [{"@type": "Organization", "name": story.agency}]
    return [
        {"@type": "Person", "name": person.name, "url": paper.absolute(author_path(person))} for person in story.authors
    ]


def _publisher(paper: Newspaper) -> Node:
    return {"@type": "NewsMediaOrganization", "name": paper.words.name, "url": paper.absolute("/")}


def _breadcrumbs(paper: Newspaper, story: Story) -> Node:
    steps = [(paper.label("home"), "/"), (story.sections[0].name, section_path(story.sections[0]))]
    return {
        "@context": "https://schema.org",
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": position, "name": name, "item": paper.absolute(path)}
            for position, (name, path) in enumerate(steps, start=1)
        ],
    }


def _script(paper: Newspaper, data: object) -> str:
    """Return a script element; outside UTF-8 the JSON is ASCII, because a script knows no character references."""
    text = json.dumps(data, ensure_ascii=paper.words.charset != "utf-8", indent=1).replace("</", "<\\/")
    return f'<script type="application/ld+json">\n{text}\n</script>'

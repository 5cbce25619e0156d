"""A page of the classic design in, the same page after a move to generated names out."""

import re

from sitewright.demo.designs.renamed.names import rename_html

_CHANGES = (
    (re.compile(r'<time class="(story__\w+)"[^>]*>([^<]*)</time>'), r'<span class="\1">\2</span>'),
    (re.compile(r"<meta itemprop="), "<meta property="),
    (re.compile(r'\sitem(?:prop|type)="[^"]*"|\sitemscope|\srel="(?:author|tag)"'), ""),
)
"""What the new templates forgot of what machines read; `rewriting.js` has the same."""
_HEAD_CHANGES = (
    (re.compile(r'<script type="application/ld\+json">.*?</script>\n?', re.DOTALL), ""),
    (re.compile(r'<meta (?:property="article:|name="(?:keywords|twitter:|DC\.))[^>]*>\n?'), ""),
    (re.compile(r"<title>(.*) \| (.*)</title>"), r"<title>\1 - \2</title>"),
    (re.compile(r'(<a class="masthead__name".*?</a>)'), r'<h1 class="masthead__title">\1</h1>'),
)
_SOCIAL_TITLE = re.compile(r'(?<=<meta property="og:title" content=")[^"]*')
_TITLE = re.compile(r"<title>(.*)</title>")


def rewrite(html: str) -> str:
    """Change what else the move changed, and then every name."""
    for pattern, replacement in (*_HEAD_CHANGES, *_CHANGES):
        html = pattern.sub(replacement, html)
    title = _TITLE.search(html)
    return rename_html(_SOCIAL_TITLE.sub(lambda _: title[1], html) if title else html)

"""A page and the plain text of its record in, the text with its structure out: a clean tree, as Markdown or HTML."""

from sitewright.body.build import Body, body_of, plain_body
from sitewright.body.pictures import Pictures
from sitewright.body.render import html_of, markdown_of_body

__all__ = ["Body", "Pictures", "body_of", "html_of", "markdown_of_body", "plain_body"]

"""Document in, what its nodes are out, without a map."""

from sitewright.tag.mce import main_content
from sitewright.tag.reader import PageReader

__all__ = ["PageReader", "main_content"]

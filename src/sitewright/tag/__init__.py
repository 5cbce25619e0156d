"""Document in, what its nodes are out, without a map."""

from sitewright.tag.mce import MceTagger, main_content
from sitewright.tag.reader import PageReader, Reading
from sitewright.tag.scores import FIELDS, KINDS, Scores, Tagger

__all__ = ["FIELDS", "KINDS", "MceTagger", "PageReader", "Reading", "Scores", "Tagger", "main_content"]

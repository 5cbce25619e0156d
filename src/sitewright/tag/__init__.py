"""Document in, what its nodes are out, without a map."""

from sitewright.tag.mce import MceTagger, main_content
from sitewright.tag.network import NetworkTagger
from sitewright.tag.reader import PageReader, PageReading
from sitewright.tag.scores import Columns, Scores, Tagger
from sitewright.tag.stated_tagger import StatedTagger

__all__ = [
    "Columns",
    "MceTagger",
    "NetworkTagger",
    "PageReader",
    "PageReading",
    "Scores",
    "StatedTagger",
    "Tagger",
    "main_content",
]

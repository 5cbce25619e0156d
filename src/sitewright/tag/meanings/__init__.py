"""Document in, scored labels out, by what fields mean: word lists, labels, looks, places; and trees that weigh them."""

from sitewright.tag.meanings.columns import Looker, Seen
from sitewright.tag.meanings.tagger import MeaningTagger
from sitewright.tag.meanings.weights import MeaningWeights

__all__ = ["Looker", "MeaningTagger", "MeaningWeights", "Seen"]

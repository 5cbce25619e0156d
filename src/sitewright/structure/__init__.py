"""Elements in, the names and paths that selectors rest on out: what repeats from page to page is told by these."""

from sitewright.structure.names import names_of
from sitewright.structure.paths import CssPaths
from sitewright.structure.tokens import GENERATED, POSITION, Token, generated_tokens_of, tokens_of

__all__ = ["GENERATED", "POSITION", "CssPaths", "Token", "generated_tokens_of", "names_of", "tokens_of"]

"""Languages and designs in, the pairs that are tested out: each of both, and where a pair may differ from its halves.

A design draws markup whatever the language, and languages differ in words, dates and encodings whatever the design; what
meets is the script. So every design is drawn in one language of each kind of script, and every other language in one
design, in turn.
"""

from itertools import cycle, product

from sitewright.demo import CLASSIC, LANGUAGES, REBUILT, RENAMED

DESIGNS = {design.name: design for design in (CLASSIC, RENAMED, REBUILT)}
SCRIPTS = ("en", "zh", "ar")
"""Words with spaces between; no spaces, in an old encoding; from right to left."""

PAIRS = [
    *product(SCRIPTS, DESIGNS),
    *zip([language for language in LANGUAGES if language not in SCRIPTS], cycle(DESIGNS), strict=False),
]

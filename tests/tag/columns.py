"""What the scores of the tests are about: as the shipped model's."""

from sitewright.domains import load_domain
from sitewright.tag import Columns

NEWS = load_domain("news")
FIELDS = (*(name for name in NEWS.fields if name != "images"), "caption")
KINDS = NEWS.kinds
COLUMNS = Columns(FIELDS, KINDS)

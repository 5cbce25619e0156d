"""A scored page and its story in, the pictures of the story out: those that are likely its own, else the stated one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sitewright.domains import FieldSpec
from sitewright.tag.picture_judge import PictureJudge
from sitewright.tag.pictures import Picture, pictures_of
from sitewright.tag.scored_page import ScoredPage
from sitewright.tag.units import Unit
from sitewright.types import Label, Photo, Value
from sitewright.values.images import distinct_photos, is_of_site, picture_key, stated_photos

ENOUGH = 0.4
"""From here on a picture is one of the story's; chosen crosswise on the picture corpus, where F1 is .92 with it."""
STATED = 0.6
"""How sure a picture is that is only stated: on two pages of three without a likely one it is the story's."""
_MOST = 40


@dataclass(frozen=True, slots=True)
class Images:
    """The pictures of a page, how likely each is one of the story's, and the one that metadata states."""

    pictures: Sequence[Picture] = ()
    likely: Sequence[float] = ()
    stated: Photo | None = None
    source: str = ""
    """Where that is stated."""

    def value(self, field: str) -> Value | None:
        """Return those of the story, as the value of a field; the stated one as it is displayed, where it is."""
        likely = [picture for picture, likely in zip(self.pictures, self.likely, strict=True) if likely >= ENOUGH]
        if chosen := likely or self._shown_as_stated:
            photos = distinct_photos(picture.photo for picture in chosen)[:_MOST]
            where = chosen[0].element.closest("figure") or chosen[0].element
            return Value(photos, self._confidence(chosen) if likely else STATED, f"tagger/{field}: {where.tag}")
        if self.stated is None:
            return None
        return Value([self.stated], STATED, f"tagger/{field}: not displayed, stated: {self.source}")

    @property
    def _shown_as_stated(self) -> list[Picture]:
        """The first picture that shows what metadata states, maybe in another size."""
        key = picture_key(self.stated.url) if self.stated is not None else ""
        return [picture for picture in self.pictures if picture.key == key][:1]

    def _confidence(self, chosen: Sequence[Picture]) -> float:
        """Return the F1 to be expected of the chosen ones."""
        best: dict[str, float] = {}
        for picture, likely in zip(self.pictures, self.likely, strict=True):
            best[picture.key] = max(likely, best.get(picture.key, 0.0))
        keys = {picture.key for picture in chosen}
        return round(min(1.0, 2 * sum(best[key] for key in keys) / (len(keys) + sum(best.values()))), 3)

    def labels(self, field: str, page: ScoredPage) -> Iterator[Label]:
        """Yield what rules are learned from: every picture, and the stated one where none is likely."""
        document = page.context.document
        is_shown = any(likely >= ENOUGH for likely in self.likely)
        stated = [] if is_shown else self._shown_as_stated
        for picture, likely in zip(self.pictures, self.likely, strict=True):
            node = document.number_of(picture.element)
            score = STATED if picture in stated else round(likely, 4)
            yield Label(field=field, value=picture.photo.url, score=score, node=node)
        if self.stated is not None:
            score = 0.0 if is_shown else STATED
            yield Label(field=field, value=self.stated.url, score=score, source=self.source)


def read_images(
    page: ScoredPage, text: Sequence[Unit], title: Unit | None, spec: FieldSpec, judge: PictureJudge | None
) -> Images:
    """Look at the pictures of a page whose story was found; without a judge only at what metadata states."""
    if not text and page.scores.kind != page.domain.item.kind:
        return Images()  # a front page, a list: pictures of many stories
    pictures = pictures_of(page, text, title) if judge is not None else []
    likely = judge.probabilities([picture.signs for picture in pictures]) if judge is not None and pictures else ()
    document = page.context.document
    for fact in document.metadata.facts(spec.sources, page.domain.types):
        if photo := next((one for one in stated_photos(fact.value, document.base_url) if not is_of_site(one)), None):
            return Images(pictures, [float(one) for one in likely], photo, fact.source)
    return Images(pictures, [float(one) for one in likely])

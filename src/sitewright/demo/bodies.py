"""A topic and its cast in, the blocks, pictures and live entries of a story out."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from sitewright.demo.cast import Cast, Notebook, full_name, number_text
from sitewright.demo.story import Block, Bullets, Entry, Figure, Heading, Paragraph, Picture, Quote, Table
from sitewright.demo.words import Topic

SIZES = ((1600, 1000), (1500, 1000), (1440, 960), (1280, 720), (1200, 1500), (1080, 1080))


class Reporter:
    """Writes what stands in one story."""

    def __init__(self, notebook: Notebook, cast: Cast, topic: Topic) -> None:
        """Take a topic and the people and places it is about."""
        self._notebook = notebook
        self._dice = notebook.dice
        self._phrases = notebook.words.phrases
        self._cast = cast
        self._topic = topic

    def article(self, number: int) -> tuple[Block, ...]:
        """Write the body of an article; the number decides which kinds of block it has."""
        blocks: list[Block] = list(self._paragraphs([self._lead(), *self._sentences()]))
        middle = max(2, len(blocks) // 2)
        inserts: list[Block] = [Heading(self._one(self._phrases.subheads))]
        if number % 2 == 0:
            inserts.append(Figure(self.picture()))
        if number % 3 == 0:
            inserts.insert(0, Quote(self._one(self._phrases.quotes)))
        blocks[middle:middle] = inserts
        if number % 3 == 1:
            blocks.insert(-1, Bullets(tuple(self._several(self._phrases.bullets, 4))))
        if number % 5 == 0:
            blocks.insert(-1, self._table())
        return tuple(blocks)

    def introduction(self) -> tuple[Block, ...]:
        """Write the few paragraphs beside a gallery or a film."""
        sentences = [*self._several(self._topic.facts, 3), *self._several(self._phrases.background, 2)]
        return tuple(self._paragraphs([self._lead(), *sentences]))

    def entries(self, start: datetime) -> tuple[Entry, ...]:
        """Write the updates of a live blog, the newest first."""
        headings = self._several(self._phrases.subheads, self._dice.randrange(5, 8))
        sentences = iter(self._sentences())
        moment, written = start, []
        for number, heading in enumerate(headings):
            blocks: list[Block] = [Heading(heading)]
            blocks.append(Paragraph(self._notebook.words.sentence_gap.join(self._take(sentences, 2))))
            if number % 4 == 1:
                blocks.append(Figure(self.picture()))
            written.append(Entry(moment, tuple(blocks)))
            moment += timedelta(minutes=self._dice.randrange(9, 40))
        return tuple(reversed(written))

    def picture(self) -> Picture:
        """Take one picture."""
        return self._picture(self._one((*self._topic.captions, *self._phrases.captions)))

    def pictures(self, count: int) -> tuple[Picture, ...]:
        """Take a series of pictures with different captions."""
        captions = self._several((*self._topic.captions, *self._phrases.captions), count)
        return tuple(self._picture(caption) for caption in captions)

    def _picture(self, caption: str) -> Picture:
        width, height = self._dice.choice(SIZES)
        seed = self._dice.randrange(1_000_000)
        source = self._dice.choice((self._notebook.words.name, self._notebook.words.agency))
        return Picture(
            slug=f"{self._topic.slug}-{seed:06}",
            scene=self._dice.choice(self._topic.scenes),
            seed=seed,
            width=width,
            height=height,
            caption=caption,
            credit=f"{full_name(self._notebook.words, self._dice)} / {source}",
        )

    def _one(self, templates: Sequence[str]) -> str:
        return self._notebook.one(self._cast, templates)

    def _several(self, templates: Sequence[str], count: int) -> list[str]:
        return self._notebook.several(self._cast, templates, count)

    def _lead(self) -> str:
        return self._one(self._topic.leads)

    def _sentences(self) -> list[str]:
        """Return what the body says: facts of the topic first, then background and voices mixed."""
        facts = self._several(self._topic.facts, 6)
        rest = [*self._several(self._phrases.background, 7), *self._several(self._phrases.speech, 4)]
        self._dice.shuffle(rest)
        mixed = [sentence for pair in zip(rest, facts[3:], strict=False) for sentence in pair]
        return [*facts[:3], *mixed, *rest[len(facts[3:]) :]]

    def _paragraphs(self, sentences: Sequence[str]) -> list[Paragraph]:
        """Join two or three sentences to a paragraph: a sentence alone might recur in another story."""
        queue, groups = iter(sentences), []
        while group := self._take(queue, self._dice.choice((2, 2, 3))):
            groups.append(group)
        if len(groups[-1]) == 1:
            groups[-2:] = [groups[-2] + groups[-1]]
        return [Paragraph(self._notebook.words.sentence_gap.join(group)) for group in groups]

    def _take(self, sentences: Iterator[str], count: int) -> list[str]:
        return [sentence for _, sentence in zip(range(count), sentences, strict=False)]

    def _table(self) -> Table:
        places = self._dice.sample(self._notebook.words.places, 4)
        return Table((self._phrases.table, *((place, self._amount(), self._amount()) for place in places)))

    def _amount(self) -> str:
        return number_text(self._notebook.words, self._dice.randrange(120, 9800))

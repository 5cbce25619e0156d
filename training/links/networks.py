"""Observed links with labels in, the small networks that read texts, names and words of addresses out."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from sitewright.links.bags import BagNetwork, Floats, Numbers
from sitewright.links.observe import ADDRESS_BUCKETS, Observed
from sitewright.links.page import Networks
from sitewright.links.surroundings import NAME_BUCKETS
from sitewright.links.wording import TEXT_BUCKETS, text_numbers, text_pieces
from training.links.pages import Kind, LabelledLinks, LabelledText, by_site, part_of
from training.links.rewritten import rewritten

_WIDTH, _HIDDEN = 16, 32
_FORGOTTEN = 0.15
"""The share of words that is hidden in training."""
_BATCH, _RATE, _DECAY = 1024, 4e-3, 1e-4
_SMOOTH = 0.01
"""So far labels are kept from 0 and 1: some are wrong."""
_WEIGHTS: Mapping[Kind, tuple[float, float]] = {
    "hand": (4.0, 2400.0), "front": (2.0, 1200.0), "index": (1.0, 100.0), "article": (1.0, 100.0), "plain": (0.2, 10.0),
}  # fmt: skip
"""What a link and all links of a site weigh at most, by who labelled them."""
_HIDDEN_WAY = 1
"""The way in which addresses are rewritten for the network that reads them: half of what it sees says nothing."""
_HEADLINE, _NO_HEADLINE = 0.5, 0.3
"""What a title, and a name of an author or section, weighs that stands on no link."""


class _Bag(nn.Module):
    def __init__(self, buckets: int, numbers: int) -> None:
        super().__init__()
        self.embeddings = nn.Embedding(buckets, _WIDTH, padding_idx=0)
        nn.init.normal_(self.embeddings.weight, 0, 0.1)
        self.embeddings.weight.data[0] = 0
        self.hidden = nn.Linear(_WIDTH + numbers, _HIDDEN)
        self.output = nn.Linear(_HIDDEN, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, words: Tensor, numbers: Tensor) -> Tensor:
        """Return the log-odds."""
        if self.training:
            words = words * (torch.rand(words.shape) > _FORGOTTEN)
        counts = (words > 0).sum(1, keepdim=True).clamp(min=1)
        mean = self.embeddings(words).sum(1) / counts.sqrt()
        seen = torch.cat([mean, numbers], dim=1)
        return self.output(self.drop(torch.relu(self.hidden(seen)))).squeeze(1)

    def frozen(self) -> BagNetwork:
        """Return the network as it is shipped: embeddings in eight bits."""
        state = {name: value.detach().numpy() for name, value in self.state_dict().items()}
        exact = BagNetwork(
            state["embeddings.weight"].astype(np.float32),
            state["hidden.weight"].T.astype(np.float32),
            state["hidden.bias"],
            state["output.weight"][0],
            float(state["output.bias"][0]),
        )
        return BagNetwork.from_arrays(exact.arrays("own"), "own")


@dataclass(frozen=True, slots=True)
class Rows:
    """What a network learns from; a row a link."""

    words: Numbers
    numbers: Floats
    labels: NDArray[np.int8]
    weights: Floats
    parts: NDArray[np.int64]

    def without(self, part: int | None) -> "Rows":
        """Return the rows of the sites of all other parts."""
        keep = self.parts != part if part is not None else np.ones(len(self.parts), dtype=bool)
        return Rows(*(getattr(self, name)[keep] for name in Rows.__slots__))


def train(rows: Rows, buckets: int, epochs: int, seed: int = 0) -> BagNetwork:
    """Train a network."""
    torch.manual_seed(seed)
    network = _Bag(buckets, rows.numbers.shape[1])
    optimiser = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    steps = epochs * (len(rows.labels) // _BATCH + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=_RATE, total_steps=steps)
    words, numbers = torch.from_numpy(rows.words.astype(np.int32)), torch.from_numpy(rows.numbers)
    labels = torch.from_numpy(rows.labels.astype(np.float32)) * (1 - 2 * _SMOOTH) + _SMOOTH
    weights = torch.from_numpy(rows.weights / rows.weights.mean())
    for _ in range(epochs):
        for chosen in torch.randperm(len(labels)).split(_BATCH):
            said = network(words[chosen], numbers[chosen])
            loss = nn.functional.binary_cross_entropy_with_logits(said, labels[chosen], weights[chosen])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    return network.eval().frozen()


def train_networks(
    pages: Sequence[LabelledLinks], texts: Sequence[LabelledText], parts: Sequence[int | None]
) -> dict[int | None, Networks]:
    """Train the networks that have not seen the sites of a part, for each of the parts; None stands for all."""
    chosen = _distinct(pages)
    text = _joined(_rows(pages, chosen, lambda o: o.text_pieces, lambda o: o.text_numbers), _text_rows(texts))
    names = _rows(pages, chosen, lambda o: o.names, _no_numbers)
    hidden = [page for own in by_site(pages) for page in rewritten(own, _HIDDEN_WAY)]
    address = _joined(*(_rows(own, _distinct(own), _address_words, _no_numbers) for own in (pages, hidden)))
    return {
        part: Networks(
            train(text.without(part), TEXT_BUCKETS, epochs=4),
            train(names.without(part), NAME_BUCKETS, epochs=3),
            train(address.without(part), ADDRESS_BUCKETS, epochs=3),
        )
        for part in parts
    }


def _address_words(observed: Observed) -> Numbers:
    return observed.address_words


def _no_numbers(observed: Observed) -> Floats:
    return observed.text_numbers[:, :0]


def _distinct(pages: Sequence[LabelledLinks]) -> list[tuple[int, int]]:
    """Return page and row of each labelled link; the same link in the same place of a site counts once."""
    seen = set()
    chosen = []
    for number, page in enumerate(pages):
        observed = page.observed
        for row in np.flatnonzero(page.labels >= 0).tolist():
            key = (page.kind, page.site, observed.pages[row], observed.texts[row], observed.signatures[row])
            if key not in seen:
                seen.add(key)
                chosen.append((number, row))
    return chosen


def _rows(
    pages: Sequence[LabelledLinks],
    chosen: Sequence[tuple[int, int]],
    words: Callable[[Observed], Numbers],
    numbers: Callable[[Observed], Floats],
) -> Rows:
    counts = Counter((pages[page].kind, pages[page].site) for page, _ in chosen)
    return Rows(
        np.stack([words(pages[page].observed)[row] for page, row in chosen]),
        np.stack([numbers(pages[page].observed)[row] for page, row in chosen]),
        np.array([pages[page].labels[row] for page, row in chosen], dtype=np.int8),
        np.array([_weight(pages[page], counts) for page, _ in chosen], dtype=np.float32),
        np.array([pages[page].part for page, _ in chosen]),
    )


def _weight(page: LabelledLinks, counts: Counter[tuple[str, str]]) -> float:
    links = counts[page.kind, page.site]
    most, site = _WEIGHTS[page.kind]
    return min(most, site / links)


def _text_rows(texts: Sequence[LabelledText]) -> Rows:
    words = [own.text for own in texts]
    labels = [own.is_headline for own in texts]
    return Rows(
        text_pieces(words),
        text_numbers(words),
        np.array(labels, dtype=np.int8),
        np.array([_HEADLINE if label else _NO_HEADLINE for label in labels], dtype=np.float32),
        np.array([part_of(own.site) for own in texts], dtype=np.int64),
    )


def _joined(first: Rows, second: Rows) -> Rows:
    return Rows(*(np.concatenate([getattr(first, name), getattr(second, name)]) for name in Rows.__slots__))

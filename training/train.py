"""Examples in, a trained network out: seeded, on an accelerator where there is one."""

import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from torch import Tensor, nn

from sitewright.tag.features import AGREEMENT, DENSE, NAME_BUCKETS, SHAPE
from training.columns import COLUMN, FIELDS, KINDS
from training.corpus import HAND, KIND_NOT_ARTICLE, KIND_UNKNOWN, source_number
from training.network import Network, Shape
from training.prepare import Example

SINGLE = tuple(COLUMN[field] for field in ("title", "subtitle", "published", "modified"))
"""Fields of which a page has one value: their units compete."""
_USUAL_PARAGRAPH = 120
_SOFT = 0.02
_HAND = source_number(HAND)
OFTEN = 3
"""How often a round shows what was labelled by hand: its convention is the one that counts."""
"""Labels are wrong now and then: no unit should be learned as certain."""
_WEIGHTS = {"subtitle": 2.0, "tags": 1.5, "categories": 1.5, "authors": 1.5, "caption": 0.5, "modified": 0.5}


@dataclass(frozen=True, slots=True)
class Plan:
    """How a network is trained."""

    epochs: int = 7
    units: int = 24_000
    """Units in a batch, padding included."""
    rate: float = 1.5e-3
    decay: float = 0.1
    seed: int = 7
    seconds: float = math.inf
    """What a lease of an accelerator allows: the pace then follows the clock, and a run is no longer the same twice."""
    ablate: str = ""
    """What the network may not see: `metadata`, `names` or `all-but-text`."""
    fields: tuple[str, ...] = FIELDS
    """What it is asked for; the kind of the page always."""
    forget: float = 0.5
    """The share of the text's trigrams and words that are taken away from each unit."""
    told: float = 0.85
    """The share of pages of which the network is told whose labels these are."""
    shape: Shape = field(default_factory=Shape)


_OF_FIELDS = Plan(
    fields=tuple(field for field in FIELDS if field not in {"text", "caption"}),
    epochs=4,
    seed=8,
    shape=Shape(dropout=0.35),
)
MEMBERS = {
    "fields": _OF_FIELDS,
    "fields2": replace(_OF_FIELDS, seed=9, forget=0.6),
    "text": Plan(fields=("text", "caption"), epochs=7, decay=0.05, shape=Shape(dropout=0.2)),
}
"""The networks of a tagger want different schooling: of text there are labels on thousands of pages and learning longer
still helps, of authors or tags on hundreds, and learning longer is learning by heart; two that start differently err
differently there."""


class Examples:
    """Examples as flat tensors on a device, with the places of each page's units."""

    def __init__(self, examples: Sequence[Example], device: str, ablate: str = "") -> None:
        """Put the examples on the device."""
        self.device = device
        lengths = [len(example.targets) for example in examples]
        self.lengths = torch.tensor(lengths)
        self.starts = torch.tensor(np.concatenate([[0], np.cumsum(lengths)[:-1]]))
        self.dense = _flat([e.features.dense.astype(np.float16, copy=False) for e in examples], device)
        self.grams = _flat([e.features.grams.astype(np.int16) for e in examples], device)
        self.names = _flat([e.features.names.astype(np.int16) for e in examples], device)
        self.tags = _flat([e.features.tags for e in examples], device)
        self.groups = _flat([e.features.groups.astype(np.int16) for e in examples], device)
        self.targets = _flat([e.targets for e in examples], device)
        self.shown = torch.tensor(np.stack([e.shown for e in examples]), device=device)
        self.kinds = torch.tensor([e.kind for e in examples], device=device)
        self.sources = torch.tensor([e.source for e in examples], device=device)
        self.variants = [example.variant for example in examples]
        self.turns = [n for n, e in enumerate(examples) for _ in range(OFTEN if e.source == _HAND else 1)]
        """The examples of a round, those that were labelled by hand several times."""
        _ablate(self, ablate)

    def batch(self, numbers: Sequence[int]) -> "Batch":
        """Return some examples, padded to the longest."""
        lengths = self.lengths[numbers]
        place = torch.arange(int(lengths.max()))
        mask = (place[None] < lengths[:, None]).to(self.device)
        index = torch.minimum(self.starts[numbers][:, None] + place[None], torch.tensor(len(self.dense) - 1)).to(
            self.device
        )
        chosen = torch.tensor(numbers, device=self.device)
        groups = torch.where(mask, self.groups[index].long(), 0)
        return Batch(
            self.dense[index].float(), self.grams[index].long(), self.names[index].long(), self.tags[index].long(),
            groups, self.sources[chosen], mask, torch.where(mask[..., None], self.targets[index].float(), -1.0),
            self.shown[chosen], self.kinds[chosen],
        )  # fmt: skip

    def batches(self, units: int, chance: random.Random) -> Iterator[list[int]]:
        """Yield all examples once, those of a length together, in batches of about as many units."""
        order = sorted(self.turns, key=lambda n: int(self.lengths[n]) * (0.9 + 0.2 * chance.random()))
        groups, current = [], []
        for number in order:
            current.append(number)
            if (len(current) + 1) * int(self.lengths[number]) > units:
                groups.append(current)
                current = []
        groups += [current] if current else []
        chance.shuffle(groups)
        yield from groups


def _flat(arrays: Sequence[np.ndarray], device: str) -> Tensor:
    return torch.from_numpy(np.concatenate(arrays)).to(device)


def _ablate(examples: Examples, what: str) -> None:
    first = DENSE.index(AGREEMENT[0])
    if what == "names":
        examples.names.zero_()
    if what == "metadata":
        examples.dense[:, first : first + len(AGREEMENT)] = 0
        stated = examples.dense[:, DENSE.index("stated")] > 0.5
        examples.targets[stated] = -1
        examples.names[stated] = 0
        examples.grams[stated] = 0
    if what == "all-but-text":
        shape = slice(DENSE.index(SHAPE[0]), DENSE.index(SHAPE[0]) + len(SHAPE))
        kept = examples.dense[:, shape].clone()
        length = examples.dense[:, 4:6].clone()
        examples.dense.zero_()
        examples.dense[:, shape] = kept
        examples.dense[:, 4:6] = length
        examples.names.zero_()
        examples.tags.zero_()


@dataclass(slots=True)
class Batch:
    """Some pages."""

    dense: Tensor
    grams: Tensor
    names: Tensor
    tags: Tensor
    groups: Tensor
    source: Tensor
    mask: Tensor
    targets: Tensor
    shown: Tensor
    kinds: Tensor

    def inputs(self) -> tuple[Tensor, ...]:
        """Return what the network sees."""
        return self.dense, self.grams, self.names, self.tags, self.groups, self.source, self.mask


def disturb(batch: Batch, plan: Plan) -> Batch:
    """Take away or rename what a network could learn by heart: class names, words, tags, and whose labels these are."""
    pages, device = len(batch.source), batch.source.device
    chance = torch.rand(pages, 1, 1, device=device)
    shift = torch.randint(1, NAME_BUCKETS - 1, (pages, 1, 1), device=device)
    renamed = torch.where(batch.names > 0, 1 + (batch.names + shift) % (NAME_BUCKETS - 1), 0)
    names = torch.where(chance < 0.2, 0, torch.where(chance < 0.4, renamed, batch.names))
    batch.names = names * (torch.rand_like(names, dtype=torch.float) > 0.2)
    chance = torch.rand(pages, 1, 1, device=device)
    batch.grams = batch.grams * ((torch.rand_like(batch.grams, dtype=torch.float) > plan.forget) & (chance > 0.1))
    batch.tags = batch.tags * (torch.rand_like(batch.tags, dtype=torch.float) > 0.05)
    batch.source = batch.source * (torch.rand(pages, device=device) < plan.told)
    return batch


def loss_of(fields: Tensor, page: Tensor, batch: Batch, asked: Sequence[str] = FIELDS) -> Tensor:
    """Return what is wrong with the scores: units one by one and against each other, fields shown, the page's kind."""
    weights = torch.tensor([_WEIGHTS.get(name, 1.0) * (name in asked) for name in FIELDS], device=fields.device)
    known = batch.targets >= 0
    soft = batch.targets.clamp(min=0) * (1 - _SOFT)
    each = nn.functional.binary_cross_entropy_with_logits(fields, soft, reduction="none") * known * _importance(batch)
    good = ((batch.targets >= 0.5) & known).sum(1)
    units = each.sum(1) / (good + 3)
    stated = known.any(1)
    unit_loss = (units * weights * stated).sum() / stated.sum().clamp(min=1)
    shown_logits, kind_logits = page[:, : len(FIELDS)], page[:, len(FIELDS) :]
    has = batch.shown >= 0
    shown = nn.functional.binary_cross_entropy_with_logits(
        shown_logits, batch.shown.clamp(min=0).float(), reduction="none"
    )
    shown_loss = (shown * weights * has).sum() / has.sum().clamp(min=1)
    return (
        unit_loss
        + 0.3 * shown_loss
        + _rivals(fields, shown_logits, batch, weights)
        + 0.5 * _kind_loss(kind_logits, batch.kinds)
    )


def _importance(batch: Batch) -> Tensor:
    """Weigh units: for the text by their length, since a paragraph is worth more than a button; else all the same."""
    length = torch.expm1(4 * batch.dense[..., DENSE.index("length")])
    weights = torch.ones_like(batch.targets)
    weights[..., COLUMN["text"]] = (length / _USUAL_PARAGRAPH).clamp(0.25, 4.0)
    return weights


def _rivals(fields: Tensor, shown: Tensor, batch: Batch, weights: Tensor) -> Tensor:
    """Let the units of a page compete for the fields of which there is one value; "not shown" competes with them."""
    columns = list(SINGLE)
    logits = fields[..., columns].masked_fill(~batch.mask[..., None], -1e4)
    targets = batch.targets[..., columns]
    best = targets.amax(1, keepdim=True)
    right = (targets >= 0.9) & (targets >= best - 0.05)
    nothing = -shown[:, columns]
    every = torch.logsumexp(torch.cat([logits, nothing[:, None]], 1), 1)
    chosen = torch.logsumexp(logits.masked_fill(~right, -1e4), 1)
    present = (batch.shown[:, columns] == 1) & right.any(1)
    absent = batch.shown[:, columns] == 0
    loss = torch.where(present, every - chosen, torch.where(absent, every - nothing, torch.zeros_like(every)))
    counted = present | absent
    return (loss * weights[columns] * counted).sum() / counted.sum().clamp(min=1)


def _kind_loss(logits: Tensor, kinds: Tensor) -> Tensor:
    """Return the loss of the kinds; where it is only known that a page is no article, either other kind is right."""
    probability = logits.log_softmax(-1)
    other = torch.logsumexp(probability[:, 1:], -1)
    known = probability.gather(1, kinds.clamp(0, len(KINDS) - 1)[:, None])[:, 0]
    loss = -torch.where(kinds == KIND_NOT_ARTICLE, other, known)
    stated = kinds != KIND_UNKNOWN
    return (loss * stated).sum() / stated.sum().clamp(min=1)


def train(examples: Examples, plan: Plan, held_out: Examples | None = None) -> Network:
    """Train a network; the weights returned are the moving average over the last steps."""
    torch.manual_seed(plan.seed)
    chance = random.Random(plan.seed)
    network = Network(plan.shape).to(examples.device)
    average = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.995)
    )
    decayed = [p for p in network.parameters() if p.dim() > 1]
    plain = [p for p in network.parameters() if p.dim() <= 1]
    groups = [{"params": decayed, "weight_decay": plan.decay}, {"params": plain, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=plan.rate, betas=(0.9, 0.98), fused=examples.device == "cuda")
    total = plan.epochs * len(list(examples.batches(plan.units, random.Random(0))))
    step, start = 0, time.time()
    for epoch in range(plan.epochs):
        network.train()
        losses = []
        for numbers in examples.batches(plan.units, chance):
            done = max(step / total, (time.time() - start) / plan.seconds)
            if done >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = plan.rate * _pace(step, done)
            batch = disturb(examples.batch(numbers), plan)
            with torch.autocast(examples.device, dtype=torch.bfloat16, enabled=examples.device == "cuda"):
                fields, page = network(*batch.inputs())
            loss = loss_of(fields.float(), page.float(), batch, plan.fields)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            average.update_parameters(network)
            losses.append(loss.detach())
            step += 1
        if not losses:
            break
        line = f"epoch {epoch + 1}/{plan.epochs} loss {torch.stack(losses).mean():.3f} {time.time() - start:.0f} s"
        if held_out is not None and (epoch % 3 == 2 or epoch == plan.epochs - 1):
            line += " " + measure(average.module, held_out)
        print(line, flush=True)
    return average.module.eval()


def _pace(step: int, done: float) -> float:
    """Return the learning rate's share: up over the first steps, then down along a cosine."""
    warm = min(1.0, (step + 1) / 200)
    return warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done)))


@torch.no_grad()
def measure(network: Network, examples: Examples) -> str:
    """Tell how often the best unit is right, how good the sets of units are, and how many kinds are right."""
    network.eval()
    right: dict[str, list[float]] = {name: [] for name in FIELDS}
    kinds: list[float] = []
    whole = [n for n, variant in enumerate(examples.variants) if variant == 0]
    for start in range(0, len(whole), 16):
        batch = examples.batch(whole[start : start + 16])
        batch.source = torch.full_like(batch.source, _HAND)
        fields, page = network(*batch.inputs())
        for name, column in COLUMN.items():
            for number in (batch.shown[:, column] == 1).nonzero()[:, 0].tolist():
                target, score = batch.targets[number, :, column], fields[number, :, column]
                if column in SINGLE:
                    right[name].append(float(target[score.masked_fill(target < 0, -1e4).argmax()] >= 0.9))
                else:
                    known = target >= 0
                    said, true = (score > 0) & known, (target >= 0.5) & known
                    right[name].append(float(2 * (said & true).sum() / (said.sum() + true.sum()).clamp(min=1)))
        said = page[:, len(FIELDS) :].argmax(-1)
        stated = batch.kinds != KIND_UNKNOWN
        kinds += ((said == 0) == (batch.kinds == 0))[stated].float().tolist()
    table = " ".join(f"{name} {np.mean(values):.3f}" for name, values in right.items() if values)
    return f"{table} kind {np.mean(kinds):.3f}"

"""The network: features of a page's units in, a score a field and unit, and the page's kind, out."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from sitewright.tag.features import DENSE, GRAM_BUCKETS, NAME_BUCKETS, OWN_NAMES, TAG_LEVELS, TAGS
from training.columns import FIELDS, KINDS
from training.corpus import SOURCES


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a network is, and whether its units see each other."""

    width: int = 128
    layers: int = 2
    heads: int = 4
    text_width: int = 24
    name_width: int = 24
    tag_width: int = 8
    dropout: float = 0.25
    page: bool = True
    """Whether units see their list, their neighbours and the whole page; without it, each is judged alone."""


class Network(nn.Module):
    """Embeds each unit, lets units see their list, their neighbours and the whole page, and scores them."""

    def __init__(self, shape: Shape) -> None:
        """Make a network that has learned nothing yet."""
        super().__init__()
        self.shape = shape
        self.grams = nn.Embedding(GRAM_BUCKETS, shape.text_width, padding_idx=0)
        self.names = nn.Embedding(NAME_BUCKETS, shape.name_width, padding_idx=0)
        self.tags = nn.Embedding(len(TAGS), shape.tag_width)
        self.source = nn.Embedding(len(SOURCES), shape.width)
        inputs = len(DENSE) + shape.text_width + 2 * shape.name_width + shape.tag_width * (TAG_LEVELS + 2)
        self.enter = nn.Linear(inputs, shape.width)
        self.first = nn.LayerNorm(shape.width)
        self.layers = nn.ModuleList(_Layer(shape) for _ in range(shape.layers))
        self.last = nn.LayerNorm(shape.width)
        self.fields = nn.Linear(shape.width, len(FIELDS))
        self.page = nn.Linear(2 * shape.width, len(FIELDS) + len(KINDS))
        self.dropout = nn.Dropout(shape.dropout)
        for table in (self.grams, self.names, self.tags, self.source):
            nn.init.normal_(table.weight, std=0.1)
            if table.padding_idx is not None:
                nn.init.zeros_(table.weight[0])
        nn.init.zeros_(self.source.weight)
        nn.init.constant_(self.fields.bias, -4.0)  # most units are nothing

    def forward(
        self, dense: Tensor, grams: Tensor, names: Tensor, tags: Tensor, groups: Tensor, source: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return logits of units by fields, and logits of the page: fields shown, then kinds."""
        own, around = names[..., :OWN_NAMES], names[..., OWN_NAMES:]
        parts = [dense, _mean(self.grams, grams), _mean(self.names, own), _mean(self.names, around)]
        parts.append(self.tags(tags).flatten(-2))
        x = self.first(self.enter(self.dropout(torch.cat(parts, dim=-1))) + self.source(source)[:, None])
        x = nn.functional.gelu(x)
        for layer in self.layers:
            x = layer(x, groups, mask)
        x = self.last(x)
        present = mask[..., None].to(x.dtype)
        mean = (x * present).sum(1) / present.sum(1).clamp(min=1)
        most = (x + (present - 1) * 1e4).amax(1)
        return self.fields(x), self.page(torch.cat([mean, most], dim=-1))


def _mean(table: nn.Embedding, numbers: Tensor) -> Tensor:
    """Return the sum of the embeddings over the root of their number, what stands for nothing left out."""
    count = (numbers > 0).sum(-1, keepdim=True).clamp(min=1)
    if torch.onnx.is_in_onnx_export():
        return table(numbers).sum(-2) / count.sqrt()
    bags = nn.functional.embedding_bag(numbers.flatten(0, -2), table.weight, mode="sum", padding_idx=0)
    return bags.view(*numbers.shape[:-1], -1) / count.sqrt()


class _Layer(nn.Module):
    """One round of looking: at the list, at the neighbours, at the page, then thinking about it."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.width
        self.heads, self.sees = shape.heads, shape.page
        if self.sees:
            self.near_norm = nn.LayerNorm(width)
            self.near = nn.Conv1d(width, width, 7, padding=3, groups=width)
            self.near_out = nn.Linear(2 * width, width)
            self.page_norm = nn.LayerNorm(width)
            self.query = nn.Linear(width, 3 * width)
            self.page_out = nn.Linear(width, width)
        self.think_norm = nn.LayerNorm(width)
        self.think = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, x: Tensor, groups: Tensor, mask: Tensor) -> Tensor:
        """Return the units, each with what it learned from the others."""
        if self.sees:
            x = x + self.dropout(self._near(self.near_norm(x), groups, mask))
            x = x + self.dropout(self._page(self.page_norm(x), mask))
        return x + self.dropout(self.think(self.think_norm(x)))

    def _near(self, x: Tensor, groups: Tensor, mask: Tensor) -> Tensor:
        present = x * mask[..., None].to(x.dtype)
        near = self.near(present.transpose(1, 2)).transpose(1, 2)
        return self.near_out(torch.cat([nn.functional.gelu(near), list_mean(present, groups, mask)], dim=-1))

    def _page(self, x: Tensor, mask: Tensor) -> Tensor:
        batch, count, width = x.shape
        parts = self.query(x).reshape(batch, count, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        query, key, value = parts[0], parts[1], parts[2]
        seen = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask[:, None, None])
        return self.page_out(seen.transpose(1, 2).reshape(batch, count, width))


def list_mean(x: Tensor, groups: Tensor, mask: Tensor) -> Tensor:
    """Return for each unit the mean of its list."""
    places = groups[..., None].expand(-1, -1, x.shape[-1])
    total = torch.zeros_like(x).scatter_add(1, places, x)
    ones = mask[..., None].to(x.dtype)
    size = torch.zeros_like(ones).scatter_add(1, groups[..., None], ones)
    return torch.gather(total, 1, places) / torch.gather(size, 1, groups[..., None]).clamp(min=1)


class Together(nn.Module):
    """Networks side by side: some are asked for the fields, some for the text, all for the kind of page."""

    def __init__(self, of_fields: Sequence[Network], of_text: Sequence[Network]) -> None:
        """Put networks side by side; the mean of those that are asked counts."""
        super().__init__()
        self.of_fields, self.of_text = nn.ModuleList(of_fields), nn.ModuleList(of_text)
        asked = [float(name in {"text", "caption"}) for name in FIELDS]
        self.register_buffer("asked", torch.tensor(asked))
        self.register_buffer("asked_page", torch.tensor(asked + [0.5] * len(KINDS)))

    def forward(self, *inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of all, each for what it is asked."""
        fields, page = _mean_of(self.of_fields, inputs)
        text_fields, text_page = _mean_of(self.of_text, inputs)
        return torch.lerp(fields, text_fields, self.asked), torch.lerp(page, text_page, self.asked_page)


def _mean_of(networks: nn.ModuleList, inputs: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    said = [network(*inputs) for network in networks]
    fields, page = (torch.stack(parts).mean(0) for parts in zip(*said, strict=True))
    return fields, page

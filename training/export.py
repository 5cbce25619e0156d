"""A trained network in, an int8 ONNX file out, checked against the network itself."""

import re
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from training.columns import state_columns
from training.corpus import HAND, source_number
from training.network import Network, Together
from training.train import Batch, Examples

INPUTS = ("dense", "grams", "names", "tags", "groups")


class _OnePage(nn.Module):
    """The network for one page, which it is told nothing else about."""

    def __init__(self, network: Network | Together) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, dense: Tensor, grams: Tensor, names: Tensor, tags: Tensor, groups: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return probabilities: units by fields; fields shown, then kinds."""
        mask = torch.ones_like(groups, dtype=torch.bool)[None]
        source = torch.full((1,), source_number(HAND), dtype=torch.long)
        fields, page = self.network(
            dense[None], grams[None].long(), names[None].long(), tags[None].long(), groups[None].long(), source, mask
        )
        return fields[0], page[0]


def export(network: Network | Together, path: Path, quantize: bool = True) -> None:
    """Write a network as ONNX, its matrices and tables in eight bits."""
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.shape_inference import quant_pre_process

    model = _OnePage(network.cpu().eval())
    page = sample_page()
    plain = path.with_suffix(".float.onnx")
    axes = {name: {0: "units"} for name in (*INPUTS, "fields")}
    torch.onnx.export(
        model,
        page,
        str(plain),
        input_names=list(INPUTS),
        output_names=["fields", "page"],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    if not quantize:
        plain.rename(path)
        return
    ready = path.with_suffix(".ready.onnx")
    try:
        quant_pre_process(str(plain), str(ready), skip_symbolic_shape=True)
    except Exception:  # noqa: BLE001 -- only an optimisation
        ready.write_bytes(plain.read_bytes())
    # Seven bits, because eight overflow on processors without VNNI; the first and last matrices are small and stay.
    quantize_dynamic(
        str(ready), str(path), weight_type=QuantType.QInt8, per_channel=True, reduce_range=True,
        op_types_to_quantize=["MatMul", "Gather"], nodes_to_exclude=_ends(ready),
    )  # fmt: skip
    plain.unlink()
    ready.unlink()
    state_columns(path)


def _ends(path: Path) -> list[str]:
    """Return the names of the products by which the network is entered and left."""
    import onnx

    nodes = onnx.load(str(path)).graph.node
    return [
        node.name
        for node in nodes
        if node.op_type in {"MatMul", "Gemm"} and re.search("/(?:enter|fields|page)/(?:MatMul|Gemm)", node.name)
    ]


def sample_page(units: int = 40) -> tuple[Tensor, ...]:
    """Return the features of a made-up page, in the order of the inputs."""
    from sitewright.tag.features import AROUND_NAMES, DENSE, GRAM_SLOTS, OWN_NAMES, TAG_LEVELS

    draw = torch.Generator().manual_seed(1)
    return (
        torch.rand(units, len(DENSE), generator=draw),
        torch.randint(0, 100, (units, GRAM_SLOTS), generator=draw, dtype=torch.int32),
        torch.randint(0, 100, (units, OWN_NAMES + AROUND_NAMES), generator=draw, dtype=torch.int32),
        torch.randint(0, 20, (units, TAG_LEVELS + 2), generator=draw, dtype=torch.int32),
        torch.randint(0, 10, (units,), generator=draw, dtype=torch.int32),
    )


def differences(network: Network | Together, path: Path, examples: Examples, pages: int = 20) -> float:
    """Return the largest mean difference of a page's probabilities between the network and the exported file."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    worst = 0.0
    for number in range(min(pages, len(examples.variants))):
        batch: Batch = examples.batch([number])
        batch.source = torch.full_like(batch.source, source_number(HAND))
        with torch.no_grad():
            fields, _ = network.to(examples.device)(*batch.inputs())
        given = {
            "dense": batch.dense[0].cpu().numpy(),
            **{name: getattr(batch, name)[0].cpu().numpy().astype(np.int32) for name in INPUTS[1:]},
        }
        said = session.run(None, given)[0]
        worst = max(worst, float(np.abs(_sigmoid(said) - torch.sigmoid(fields[0]).cpu().numpy()).mean()))
    return worst


def _sigmoid(values: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-values))

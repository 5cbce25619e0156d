"""What the tagger of news is trained to tell: the columns of its scores, which the exported model states itself."""

from pathlib import Path

from sitewright.domains import load_domain
from sitewright.tag.network import FIELDS_ENTRY, KINDS_ENTRY
from sitewright.tag.scores import Columns

NEWS = load_domain("news")
FIELDS = ("title", "subtitle", "published", "modified", "text", "authors", "categories", "tags", "caption")
COLUMN = {field: number for number, field in enumerate(FIELDS)}
KINDS = NEWS.kinds
COLUMNS = Columns(FIELDS, KINDS)


def state_columns(path: Path, columns: Columns = COLUMNS) -> None:
    """Write into an ONNX file what its outputs are about."""
    import onnx

    model = onnx.load(str(path))
    for key, names in ((FIELDS_ENTRY, columns.fields), (KINDS_ENTRY, columns.kinds)):
        model.metadata_props.add(key=key, value=" ".join(names))
    onnx.save(model, str(path))

"""The models that the package ships: a folder for each domain that has some."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from sitewright.errors import ModelError

TAGGER, JUDGE = "tagger.onnx", "judge.json"


def model_file(domain: str, name: str) -> Traversable:
    """Return a file of a domain's models; `ModelError` where there is none."""
    file = files(__package__).joinpath(domain, name)
    if not file.is_file():
        raise ModelError(f"there is no {name} for {domain}")
    return file

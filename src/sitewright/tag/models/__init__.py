"""The models that the package ships: a folder for each domain that has some."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from sitewright.errors import ModelError

TAGGER, JUDGE, KINDS, PICTURES = "tagger.onnx", "judge.json", "kinds.json", "pictures.json"
MEANINGS = "meanings.json"


def has_model(domain: str, name: str) -> bool:
    """Tell whether a domain has one of these models."""
    return bool(domain) and files(__package__).joinpath(domain, name).is_file()


def model_file(domain: str, name: str) -> Traversable:
    """Return a file of a domain's models; `ModelError` where there is none."""
    file = files(__package__).joinpath(domain, name)
    if not file.is_file():
        raise ModelError(f"there is no {name} for {domain}")
    return file

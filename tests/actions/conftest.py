"""The store that the tests of the command line begin with."""

from tests.cli.conftest import filled, folder, newspaper, store

__all__ = ["filled", "folder", "newspaper", "store"]

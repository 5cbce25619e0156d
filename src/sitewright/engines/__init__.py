"""SQL statements and functions in, tables of what they give out: computed by DuckDB in this process, or by Spark."""

from sitewright.engines.duck import DuckEngine
from sitewright.engines.engine import Engine
from sitewright.errors import UsageError

ENGINES = ("duckdb", "spark")

__all__ = ["ENGINES", "DuckEngine", "Engine", "open_engine"]


def open_engine(name: str, master: str | None = None) -> Engine:
    """Open what computes: DuckDB, or Spark on a cluster or on this machine."""
    if name == "spark":
        from sitewright.engines.spark import SparkEngine  # noqa: PLC0415 -- only who asks for Spark needs it

        return SparkEngine(master)
    if name != "duckdb":
        raise UsageError(f"there is no engine {name!r}; there are {', '.join(ENGINES)}")
    return DuckEngine()

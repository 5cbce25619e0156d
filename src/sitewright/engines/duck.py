"""The statements run by DuckDB, in this process."""

import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

from sitewright.engines.engine import Columns, Reading, Score
from sitewright.errors import InputError


class DuckEngine:
    """Tables in memory; what does not fit goes to a temporary folder."""

    quote = '"'

    def __init__(self, *, memory: str = "2GB", threads: int = 0) -> None:
        """Open an empty database."""
        import duckdb  # noqa: PLC0415 -- only who computes pays for it

        self._folder = tempfile.TemporaryDirectory(prefix="sitewright-tables-")
        settings: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": memory,
            "temp_directory": self._folder.name,
        }
        if threads:
            settings["threads"] = threads
        self._database = duckdb.connect(config=settings)
        self._refused = duckdb.Error
        self._database.execute("set preserve_insertion_order = false")
        self._database.execute("create macro unix_seconds(moment) as epoch(moment)")  # as Spark calls it

    def read(self, places: Sequence[str]) -> list[str]:
        """Make the table `log` of files of clicks."""
        parquet = all(place.endswith(".parquet") for place in places)
        listed = ", ".join("'" + place.replace("'", "''") + "'" for place in places)
        source = (
            f"read_parquet([{listed}], union_by_name = true)"
            if parquet
            else f"read_csv([{listed}], all_varchar = true, header = true, delim = ',', union_by_name = true)"
        )
        try:
            self._database.execute(f"create or replace view log as select * from {source}")
            return [str(column[0]) for column in self._database.execute("describe log").fetchall()]
        except self._refused as error:
            raise InputError(f"cannot read {', '.join(places)}: {str(error).splitlines()[0]}") from error

    def make_of(self, name: str, places: Sequence[str], reading: Reading, schema: str) -> None:
        """Make a table of what is read of files, one after the other."""
        self._database.execute(f"create or replace temp table {name} ({schema})")
        for place in places:
            for columns in reading(place):
                self._database.register("given", dict(columns))
                self._database.execute(f"insert into {name} by name select * from given")
                self._database.unregister("given")

    def make(self, name: str, statement: str) -> None:
        """Make a table of what a statement gives."""
        try:
            self._database.execute(f"create or replace temp table {name} as {statement}")
        except self._refused as error:
            raise InputError(f"cannot make {name} of what was read: {str(error).splitlines()[0]}") from error

    def put(self, name: str, columns: Columns) -> None:
        """Make a table of arrays."""
        self._database.register("given", dict(columns))
        self.make(name, "select * from given")
        self._database.unregister("given")

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return what a statement gives."""
        return self._database.execute(statement).fetchall()

    def columns(self, statement: str) -> Columns:
        """Return what a statement gives, as arrays."""
        found: Columns = self._database.execute(statement).fetchnumpy()
        return found

    def make_scored(self, name: str, statement: str, score: Score) -> None:
        """Score pieces of what a statement gives."""
        features = self.columns(statement)
        columns = {column: features[column] for column in ("reader", "item", "because")}
        self.put(name, columns | {"score": score(features)})

    def stream(self, statement: str) -> Iterator[tuple[Any, ...]]:
        """Yield what a statement gives, some thousand rows at a time."""
        found = self._database.execute(statement)
        while rows := found.fetchmany(10_000):
            yield from rows

    def close(self) -> None:
        """Close the database and remove its folder."""
        self._database.close()
        self._folder.cleanup()

"""A file about items in, what is known of each out: the story that it tells, and its section."""

from sitewright.errors import InputError
from sitewright.recommend.lists import ItemFacts

_KNOWN = ("story", "section")


def read_facts(place: str) -> dict[str, ItemFacts]:
    """Read a CSV, Parquet or JSONL file with the column `item`, and `story` or `section`."""
    import duckdb  # noqa: PLC0415 -- only who has such a file pays for it

    with duckdb.connect() as database:
        try:
            quoted = place.replace("'", "''")
            table = database.sql(f"select * from '{quoted}'")  # noqa: S608 -- quoted above
            names = [name for name in _KNOWN if name in table.columns]
            if "item" not in table.columns or not names:
                raise InputError(f"{place} needs the column item, and story or section")
            chosen = table.project(", ".join(f"cast({name} as varchar)" for name in ("item", *names)))
            return {item: ItemFacts(**dict(zip(names, said, strict=True))) for item, *said in chosen.fetchall()}
        except duckdb.Error as error:
            raise InputError(f"cannot read {place}: {str(error).splitlines()[0]}") from error

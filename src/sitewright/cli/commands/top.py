"""`sitewright top`: a store in, the stories worth reading first out, each with the reasons."""

from datetime import UTC, datetime
from typing import Any

import click
import orjson

from sitewright.actions.top_stories import TopStory, top_stories
from sitewright.assemble import reasons
from sitewright.cli.options import StoreOption, open_known_store
from sitewright.cli.show.lines import echo
from sitewright.cli.show.texts import shown_text
from sitewright.values.words import short


@click.command(short_help="Show the stories worth reading first, and why.")
@click.argument("sites", nargs=-1, metavar="[SITE]...")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="So many stories.")
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="Stories since this day (in UTC); default: of the last three days.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a story and line, with the parts of its score.")
@StoreOption
def top(sites: tuple[str, ...], limit: int, since: datetime | None, as_json: bool, store: str | None) -> None:
    """Show the stories of all sites, or of those named, that stand highest, each once however many sites carry it.

    What counts: how fresh a story is (half after 15 hours), how many other sites carry it and how fast they came, how
    many pictures it has and how large they are, and the weight of the source that lists it now. The score is the
    freshness times one and the sum of the other parts.

    \b
    Examples:
      sitewright top
      sitewright top example.com --limit 5 --json
    """
    with open_known_store(store) as opened:
        day = since.replace(tzinfo=UTC) if since is not None else None
        found = top_stories(opened, sites, datetime.now(UTC), since=day)
    if not found:
        echo("no story in these days; name an earlier day with --since", err=True)
    for place, story in enumerate(found[:limit], 1):
        if as_json:
            echo(orjson.dumps(_row(story)).decode("utf-8"))
        else:
            for line in _lines(place, story):
                echo(str(shown_text(line)))


def _lines(place: int, story: TopStory) -> tuple[str, str]:
    record = story.record.record
    about = "; ".join(reasons(story.standing))
    return f"{place:>3}. {short(story.title, 90)}", f"     {story.ranked.score:.2f}  {record.urls[0]}  {about}"


def _row(story: TopStory) -> dict[str, Any]:
    record, ranked = story.record.record, story.ranked
    parts = {name: round(getattr(ranked, name), 4) for name in ("fresh", "sites", "pictures", "source")}
    return {
        "url": record.urls[0],
        "title": story.title,
        "site": record.site,
        "score": round(ranked.score, 4),
        "parts": parts,
        "reasons": reasons(story.standing),
        "also": [{"site": one.record.site, "url": one.record.urls[0]} for one in story.others],
    }

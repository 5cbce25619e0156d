"""`sitewright map diff`: two map files in, what differs out: rules, and on request what they give."""

import sys

import click

from sitewright.cli.settings import load_settings
from sitewright.cli.show.lines import echo
from sitewright.cli.show.map_changes import print_changes, print_value_changes
from sitewright.cli.statuses import ALL_WELL, SOME_FAILED
from sitewright.maps import load_map
from sitewright.maps.changes import bare
from sitewright.maps.diff import Change, compare_maps
from sitewright.types import ExtractionMap


@click.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option(
    "--pages", multiple=True, metavar="PAGES", help="Also read these pages with both maps and show which values change."
)
@click.option(
    "--show", "shown", type=click.IntRange(min=0), default=3, show_default=True, help="Values to show a field."
)
@click.option("--support", is_flag=True, help="Also that only the version, the date or the support of rules differ.")
def diff(old: str, new: str, pages: tuple[str, ...], shown: int, support: bool) -> None:
    """Compare two maps rule by rule, and with --pages what they give. Exit status 1 where they differ.

    \b
    Example:
      sitewright map diff old.map.yaml new.map.yaml --pages pages.jsonl
    """
    before, after = load_map(old), load_map(new)
    changes = (compare_maps if support else diff_of_rules)(before, after)
    print_changes(changes)
    if not changes:
        echo("no difference")
    elif pages:
        _show_values(before, after, pages, shown)
    sys.exit(SOME_FAILED if changes else ALL_WELL)


def diff_of_rules(before: ExtractionMap, after: ExtractionMap) -> list[Change]:
    """Return what is read in another way, rules without how well they are founded."""
    return compare_maps(bare(before), bare(after))


def _show_values(before: ExtractionMap, after: ExtractionMap, pages: tuple[str, ...], shown: int) -> None:
    # Only who reads pages pays for what reads them.
    from sitewright.actions.compare_values import compare_values  # noqa: PLC0415
    from sitewright.actions.inputs import Inputs  # noqa: PLC0415

    settings = load_settings()
    print_value_changes(compare_values(before, after, Inputs(pages), settings.limits, settings.jobs), shown)

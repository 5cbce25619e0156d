"""`sitewright digest`: a store in, what a day brought out: on the terminal, or by mail to who wants it."""

from datetime import UTC, date, datetime
from pathlib import Path

import click

from sitewright.actions.catalogues import Library, open_catalogue
from sitewright.actions.deliver import Senders
from sitewright.actions.digest import Span, day_span, digest_of, digest_row, last_day, letter_of_digest
from sitewright.actions.mail_digests import mail_digests
from sitewright.actions.same_stories import place_cards
from sitewright.actions.send_mail import check_mail
from sitewright.cli.options import StoreOption, open_known_store, store_address
from sitewright.cli.settings import load_settings
from sitewright.cli.show.lines import echo
from sitewright.output.letter import text_of
from sitewright.values.as_json import json_of
from sitewright.values.words import counted, harmless


@click.command(short_help="Show what a day brought, or mail it to who wants it.")
@click.option(
    "--day", type=click.DateTime(["%Y-%m-%d"]), metavar="YYYY-MM-DD", help="A day in UTC; default: the last 24 hours."
)
@click.option(
    "--mail", "by_mail", is_flag=True, help="Send it to all who want digests, whatever their hour; each once a day."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@StoreOption
def digest(day: datetime | None, by_mail: bool, as_json: bool, store: str | None) -> None:
    """Show new stories by site, those worth reading first, incidents, and prices that changed.

    Who wants it by mail says so on the page /alerts of `sitewright serve`, which also sends it at their hour. With
    --mail cron can do it instead; the mail.* settings name the server.

    \b
    Examples:
      sitewright digest
      sitewright digest --day 2026-11-19 --json
      sitewright digest --mail
    """
    settings, address = load_settings(), store_address(store)
    if by_mail:
        check_mail(settings.mail)
    with open_known_store(store) as opened, open_catalogue(opened, address) as catalogue:
        now = datetime.now(UTC)
        while catalogue.catch_up() or place_cards(catalogue, now):
            pass
        library = Library(opened, catalogue, Path(settings.store.pages), settings.limits)
        about, span = _asked(day, now)
        if by_mail:
            senders = Senders(mail=settings.mail, fetch=settings.fetch, home=settings.serve.url.rstrip("/"))
            echo(f"{counted(mail_digests(library, senders, about, span), 'digest')} sent", err=True)
            return
        found = digest_of(library, span)
    echo(
        json_of(digest_row(found)).decode("utf-8")
        if as_json
        else harmless(text_of(letter_of_digest("", found))).rstrip()
    )


def _asked(day: datetime | None, now: datetime) -> tuple[date, Span]:
    return (day.date(), day_span(day.date())) if day is not None else (now.astimezone().date(), last_day(now))

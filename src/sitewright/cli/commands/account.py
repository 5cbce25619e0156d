"""`sitewright account`: who may log in to the pages that `sitewright serve` shows."""

import sys

import click

from sitewright.actions.accounts import list_accounts, make_token, put_account, remove_account
from sitewright.cli.options import StoreOption, store_address
from sitewright.cli.show.lines import echo
from sitewright.cli.show.tables import print_table
from sitewright.errors import InputError
from sitewright.store.database import open_store
from sitewright.store.entries import ROLES
from sitewright.values.words import moment


@click.command(short_help="List, make and remove the accounts of people who may log in.")
@click.argument("account_name", metavar="[NAME]", required=False)
@click.option("--role", type=click.Choice(ROLES), default=ROLES[0], show_default=True, help="What they may do.")
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
@click.option("--token", metavar="LABEL", help="Make a token for a program of this account, and print it.")
@click.option("--remove", is_flag=True, help="Remove the account with its marks and saved searches.")
@StoreOption
def account(
    account_name: str | None, role: str, password_stdin: bool, token: str | None, remove: bool, store: str | None
) -> None:
    """List all accounts; or with NAME make one, or give it another role and password, which is asked for.

    A reader reads; an editor also changes maps and sites; an admin also sees to accounts and settings. A token is sent
    by programs: `Authorization: Bearer TOKEN`.

    \b
    Examples:
      sitewright account ann --role admin
      sitewright account ann --token "backup script"
    """
    with open_store(store_address(store)) as opened:
        if account_name is None:
            rows = [(one.name, one.role, moment(one.made_at)) for one in list_accounts(opened)]
            print_table(("account", "role", "since (UTC)"), rows)
        elif remove:
            remove_account(opened, account_name)
            echo(f"removed the account {account_name}", err=True)
        elif token is not None:
            echo(make_token(opened, account_name, token))
        else:
            put_account(opened, account_name, role, _password(account_name, from_stdin=password_stdin))
            echo(f"{account_name} may log in now, as {role}", err=True)


def _password(name: str, *, from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\n")
    if not sys.stdin.isatty():
        raise InputError("there is nobody to ask for a password; give it with --password-stdin")
    return str(click.prompt(f"Password of {name}", hide_input=True, confirmation_prompt=True))

"""What all pages share: the options, the open store, the secret of the forms."""

import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Request

from sitewright.actions.accounts import has_accounts
from sitewright.actions.background import Background
from sitewright.actions.catalogues import CatalogueUpkeep, Library
from sitewright.actions.deliver import Senders
from sitewright.actions.learnings import Learnings
from sitewright.actions.messenger import Messenger
from sitewright.actions.next_reads import NextReads
from sitewright.actions.refresh_lists import ListUpkeep
from sitewright.actions.show_picture import Pictures
from sitewright.serve.markups import Markups
from sitewright.serve.options import ServeOptions
from sitewright.serve.security.tries import Tries
from sitewright.serve.security.visitor import Visitor
from sitewright.serve.workbenches import Workbenches
from sitewright.store.catalogue.catalogue import Catalogue
from sitewright.store.database import Store


@dataclass(slots=True)
class Service:
    """A running service."""

    options: ServeOptions
    store: Store
    catalogue: Catalogue
    pictures: Pictures = field(init=False)
    tries: Tries = field(default_factory=Tries)
    workbenches: Workbenches = field(default_factory=Workbenches)
    markups: Markups = field(default_factory=Markups)
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    _beside: list[Background] = field(default_factory=list)
    """What goes on beside the pages."""

    next_reads: NextReads = field(init=False)
    learnings: Learnings = field(init=False)
    is_stopping: bool = False

    def __post_init__(self) -> None:
        """Have pictures kept beside the archive, and sites learned into it."""
        own = self.options
        self.next_reads = NextReads(self.library)
        self.learnings = Learnings(self.store, own.store, own.fetch, own.limits, own.jobs)
        self.pictures = Pictures(Path(f"{self.options.store.pages}.pictures"), self.options.fetch)

    def note(self, visitor: Visitor, what: str, about: str, **detail: Any) -> None:
        """Remember who changed what."""
        self.store.people.note_change(visitor.name, what, about, detail)

    def count_fresh(self, account: str, since: int) -> int:
        """Return how many cards of those that somebody sees came after the number of a record."""
        hidden = [what for kind, what in self.store.people.hidden(account) if kind == "site"]
        return self.catalogue.count_since(since, hidden)

    def start(self) -> None:
        """Begin what goes on beside the pages."""
        self._beside = [
            CatalogueUpkeep(self.catalogue),
            ListUpkeep(self.store, self.options.store.url),
            Messenger(self.library, self.senders),
        ]
        for one in self._beside:
            one.start()

    def stop(self) -> None:
        """End it."""
        self.is_stopping = True
        for one in self._beside:
            one.stop()

    @property
    def has_accounts(self) -> bool:
        """Whether anybody can log in."""
        return has_accounts(self.store)

    @property
    def senders(self) -> Senders:
        """By what people are told."""
        return Senders(mail=self.options.mail, fetch=self.options.fetch, home=self.options.home)

    @property
    def library(self) -> Library:
        """What readers read from."""
        return Library(self.store, self.catalogue, Path(self.options.store.pages), self.options.limits)

    @property
    def is_open(self) -> bool:
        """Whether whoever reaches it may do everything: only this machine can, and nobody made an account."""
        return self.options.is_local and not self.options.serve.token and not self.has_accounts


def service_of(request: Request) -> Service:
    """Return the service that a request is sent to."""
    service: Service = request.app.state.service
    return service


async def _served(request: Request) -> Service:
    return service_of(request)  # a coroutine, as others are called in a thread, which takes longer than all they do


Serving = Annotated[Service, Depends(_served)]

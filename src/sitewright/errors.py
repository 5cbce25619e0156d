"""Every error Sitewright raises on purpose.

    SitewrightError
    ├── InputError             input_error        a file or stream of pages cannot be read at all
    │   ├── UnknownFormat      unknown_format     no reader for this kind of input
    │   ├── BadPageLine        bad_page_line      one line of a page file is not a page
    │   └── BadList            bad_list           a list of addresses has lines that are none
    ├── PageError              page_error         one page cannot be processed
    │   ├── PageTooLarge       page_too_large     more bytes than Limits.page_bytes
    │   ├── PageTooDeep        page_too_deep      nested deeper than Limits.depth
    │   ├── TooManyLinks       too_many_links     an index page with more links than Limits.links
    │   ├── PageTimeout        page_timeout       took longer than Limits.page_seconds
    │   ├── PageCrashed        page_crashed       the process working on it died
    │   ├── NotHtml            not_html           the body is something else (an image, a PDF, an archive)
    │   ├── NotFeed            not_feed           the body is neither a feed nor a sitemap
    │   ├── NoLinks            no_links           an index page without any link
    │   ├── NotItem            not_item           a page that is no article (or product), though a link said so
    │   ├── TooOld             too_old            a story older than a site's stories may be
    │   ├── WallPage           wall_page          something stands between the reader and the page
    │   │   ├── LoginWall      login_wall         it asks for a name and a password
    │   │   ├── ConsentWall    consent_wall       it asks for consent to cookies
    │   │   └── BotWall        bot_wall           it wants a proof that nobody automatic is reading
    │   └── ErrorPage          error_page         the server answered with an error (404, 503)
    ├── FetchError             fetch_error        a page cannot be fetched from the web
    │   ├── BadUrl             bad_url            not an address that pages are fetched from
    │   ├── HostNotFound       host_not_found     no host of this name
    │   ├── AddressRefused     address_refused    the host is inside a private network, not on the web
    │   ├── ConnectionFailed   connection_failed  no connection, or no answer that can be understood
    │   ├── FetchTimeout       fetch_timeout      took longer than FetchSettings.seconds
    │   ├── TooManyRedirects   too_many_redirects the address leads on and on, or back to itself
    │   ├── RobotsForbid       robots_forbid      the site's robots.txt asks not to fetch it
    │   ├── BrowserMissing     browser_missing    there is no browser to render pages with, or it does not start
    │   ├── RenderTimeout      render_timeout     a browser took longer than FetchSettings.seconds
    │   └── RenderFailed       render_failed      a browser cannot show it (a download, a crash)
    ├── PictureError           picture_error      a picture is none of a story's
    │   ├── NotPicture         not_picture        its bytes are something else (a page, a text)
    │   ├── PictureTooSmall    picture_too_small  it is a pixel, an icon or a preview
    │   ├── PictureTooLarge    picture_too_large  it has more pixels than any page shows
    │   ├── PictureRecurs      picture_recurs     many stories of the site show it: a logo, an advert
    │   └── TooManyPictures    too_many_pictures  the first of those beyond what a set has
    ├── PartError              part_error         a page of a story is not in it
    │   ├── PartMissing        part_missing       it cannot be had, or not now
    │   └── PartRepeats        part_repeats       it says nothing that other pages of the story do not
    ├── MapError               map_error          a map cannot be used
    │   ├── MapSyntaxError     map_syntax         the file is not YAML (or not JSON)
    │   ├── MapInvalid         map_invalid        the file is YAML, but not a map; lists every problem
    │   ├── MapExists          map_exists         refuses to write over an existing map
    │   ├── MapChanged         map_changed        another version was stored since this one was begun
    │   └── LearnError         learn_error        no map can be learned from these pages
    │       ├── TooFewPages    too_few_pages      fewer than two different pages
    │       ├── MixedSites     mixed_sites        the pages are of several sites
    │       ├── NoArticles     no_articles        none of the pages is an article
    │       ├── NoStableRule   no_stable_rule     no rule reads any required field on the pages
    │       └── BadExample     bad_example        an example's value is not on any of the pages
    ├── SelectorError          selector_error     a selector cannot be parsed or run
    ├── ConversionError        conversion_error   a foreign map cannot be read
    ├── DomainError            domain_error       a domain cannot be used
    │   ├── UnknownDomain      unknown_domain     no domain of this name, no domain file at this path
    │   └── DomainInvalid      domain_invalid     the file is not YAML, or not a domain; lists every problem
    ├── ModelError             model_error        a model cannot be loaded
    ├── MissingExtra           missing_extra      a library that only an extra installs is not there
    ├── OutputError            output_error       records cannot be written there
    ├── StoreError             store_error        the store (database, web archive) cannot be opened, read or written
    ├── SettingsError          settings_error     a settings file or variable is wrong
    ├── NotDelivered           not_delivered      mail or a webhook was not taken
    │   └── DeliveryRefused    delivery_refused   whoever was told did hear it, and does not want it
    ├── NotAllowed             not_allowed        an account may not do this
    ├── NotThere               not_there          nothing of this name or number is there (pages and API)
    └── UsageError             usage_error        a Python function was called with something it cannot use

`code` is stable: it is what output files, exit messages and tests name.
"""

from collections.abc import Sequence
from dataclasses import dataclass


class SitewrightError(Exception):
    """The root of all errors raised on purpose."""

    code = "sitewright_error"


class InputError(SitewrightError):
    """A file or stream of pages cannot be read at all."""

    code = "input_error"


class UnknownFormat(InputError):
    """There is no reader for this kind of input."""

    code = "unknown_format"


class BadPageLine(InputError):
    """One line of a page file is not a page."""

    code = "bad_page_line"


class BadList(InputError):
    """A list of addresses cannot be read; every line that is no address is named."""

    code = "bad_list"


class PageError(SitewrightError):
    """One page cannot be processed."""

    code = "page_error"


class PageTooLarge(PageError):
    """The page has more bytes than `Limits.page_bytes`."""

    code = "page_too_large"


class PageTooDeep(PageError):
    """The page is nested deeper than `Limits.depth`."""

    code = "page_too_deep"


class TooManyLinks(PageError):
    """The index page has more links than `Limits.links`."""

    code = "too_many_links"


class PageTimeout(PageError):
    """The page took longer than `Limits.page_seconds`."""

    code = "page_timeout"


class PageCrashed(PageError):
    """The process working on the page died."""

    code = "page_crashed"


class NotHtml(PageError):
    """The body is not HTML but, say, an image or a PDF."""

    code = "not_html"


class NotFeed(PageError):
    """The body is neither a feed nor a sitemap."""

    code = "not_feed"


class NoLinks(PageError):
    """The page has no links, so nothing can be said about them."""

    code = "no_links"


class NotItem(PageError):
    """The page is no article (or product), though a link said so."""

    code = "not_item"


class TooOld(PageError):
    """The story was published longer ago than `collect --max-age` allows."""

    code = "too_old"


class WallPage(PageError):
    """Something stands between the reader and the page."""

    code = "wall_page"


class LoginWall(WallPage):
    """The page asks for a name and a password."""

    code = "login_wall"


class ConsentWall(WallPage):
    """The page asks for consent to cookies and shows nothing else."""

    code = "consent_wall"


class BotWall(WallPage):
    """The page wants a proof that nobody automatic is reading."""

    code = "bot_wall"


class ErrorPage(PageError):
    """The server answered with an error, so the page is not what was asked for."""

    code = "error_page"


class FetchError(SitewrightError):
    """A page cannot be fetched from the web."""

    code = "fetch_error"


class BadUrl(FetchError):
    """This is not an address that pages are fetched from."""

    code = "bad_url"


class HostNotFound(FetchError):
    """There is no host of this name."""

    code = "host_not_found"


class AddressRefused(FetchError):
    """The host is inside a private network, not on the web, and not in `FetchSettings.allow_hosts`."""

    code = "address_refused"


class ConnectionFailed(FetchError):
    """There is no connection to the host, or its answer cannot be understood."""

    code = "connection_failed"


class FetchTimeout(FetchError):
    """The page took longer than `FetchSettings.seconds`."""

    code = "fetch_timeout"


class TooManyRedirects(FetchError):
    """The address leads on and on, or back to itself."""

    code = "too_many_redirects"


class RobotsForbid(FetchError):
    """The site's robots.txt asks not to fetch this address."""

    code = "robots_forbid"


class BrowserMissing(FetchError):
    """There is no browser to render pages with, or it does not start."""

    code = "browser_missing"


class RenderTimeout(FetchError):
    """A browser took longer than `FetchSettings.seconds`."""

    code = "render_timeout"


class RenderFailed(FetchError):
    """A browser cannot show the page: it is a download, or crashed it."""

    code = "render_failed"


class PictureError(SitewrightError):
    """A picture is none of a story's."""

    code = "picture_error"


class NotPicture(PictureError):
    """The bytes are no picture of a known kind, whatever the address ends with."""

    code = "not_picture"


class PictureTooSmall(PictureError):
    """The picture is a pixel that counts readers, an icon or a preview."""

    code = "picture_too_small"


class PictureTooLarge(PictureError):
    """The picture says that it has more pixels than any page shows."""

    code = "picture_too_large"


class PictureRecurs(PictureError):
    """Many stories of the site show the picture."""

    code = "picture_recurs"


class TooManyPictures(PictureError):
    """A photo set has more pictures than anybody looks through; this is the first that is left out."""

    code = "too_many_pictures"


class PartError(SitewrightError):
    """A page of a story is not in it."""

    code = "part_error"


class PartMissing(PartError):
    """The page cannot be had, or not now."""

    code = "part_missing"


class PartRepeats(PartError):
    """The page says nothing that other pages of the story do not."""

    code = "part_repeats"


class MapError(SitewrightError):
    """A map cannot be used."""

    code = "map_error"


class MapSyntaxError(MapError):
    """The map file is not YAML."""

    code = "map_syntax"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a file: where, in which entry, and what was expected."""

    file: str
    line: int
    path: str
    message: str
    what: str = "map"
    """What kind of file it is: named where the whole of it is wrong."""

    def __str__(self) -> str:
        """Format the way compilers do, so that editors can jump to it."""
        return f"{self.file}:{self.line}: {self.path or self.what}: {self.message}"


class MapInvalid(MapError):
    """The file is YAML, but not a map."""

    code = "map_invalid"

    def __init__(self, problems: list[Problem]) -> None:
        """Hold every problem found, not only the first."""
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class MapExists(MapError):
    """There is a map at the target already."""

    code = "map_exists"


class MapChanged(MapError):
    """Another version of a site's map was stored since a person began to change it."""

    code = "map_changed"


class LearnError(MapError):
    """No map can be learned from these pages."""

    code = "learn_error"


class TooFewPages(LearnError):
    """There are fewer than two different pages."""

    code = "too_few_pages"


class MixedSites(LearnError):
    """The pages are of several sites, and none of them has most."""

    code = "mixed_sites"


class NoArticles(LearnError):
    """None of the pages is an article (or a product, in a shop)."""

    code = "no_articles"


class NoStableRule(LearnError):
    """No rule reads any required field on the pages."""

    code = "no_stable_rule"


class BadExample(LearnError):
    """The value of an example is not on any of the pages."""

    code = "bad_example"


class SelectorError(SitewrightError):
    """A selector cannot be parsed or run."""

    code = "selector_error"


class ConversionError(SitewrightError):
    """A foreign map cannot be read."""

    code = "conversion_error"


class DomainError(SitewrightError):
    """A domain cannot be used."""

    code = "domain_error"


class UnknownDomain(DomainError):
    """There is no domain of this name, and no domain file at this path."""

    code = "unknown_domain"


class DomainInvalid(DomainError):
    """The file is not YAML, or not a domain."""

    code = "domain_invalid"

    def __init__(self, problems: Sequence[object]) -> None:
        """Hold every problem found, not only the first."""
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class ModelError(SitewrightError):
    """A model (of the tagger, of links) cannot be loaded."""

    code = "model_error"


class MissingExtra(SitewrightError):
    """A library that only one of the extras installs is not there."""

    code = "missing_extra"


class OutputError(SitewrightError):
    """Records cannot be written there."""

    code = "output_error"


class StoreError(SitewrightError):
    """The store cannot be opened, read or written; the text says why and what to do."""

    code = "store_error"


class SettingsError(SitewrightError):
    """A settings file or an environment variable is wrong."""

    code = "settings_error"


class NotDelivered(SitewrightError):
    """Mail, or what a webhook is sent, was not taken."""

    code = "not_delivered"


class DeliveryRefused(NotDelivered):
    """Whoever was told did hear it, and does not want it."""

    code = "delivery_refused"


class NotAllowed(SitewrightError):
    """Whoever asks may not do this."""

    code = "not_allowed"


class NotThere(SitewrightError):
    """Nothing of this name or number is there."""

    code = "not_there"


class UsageError(SitewrightError, TypeError):
    """A Python function was called with something it cannot use, or where it cannot work; the text says what to do."""

    code = "usage_error"

"""Observations of a site's pages in, signals out: what its pages usually are like, and when that changes.

What a page without a field means depends on what else is known of it (`evidence.py` has the tests):

- **lost, for sure**: the tagger reads the field and the map does not, or pages of this kind (section and structure)
  always had it;
- **just not there**: neither reads it, or nobody asked the tagger. That is what videos and briefs look like, too, and
  they come in runs, so a page says little.

What happens while an alarm is on, or under suspicion, is not learned. Affected pages until a change is noticed, in 40
simulated papers of 300 pages (`tests/notice/papers.py`), median and most:

| | median | most |
|---|---|---|
| whole pages, title or text are lost, and the tagger sees them | 4 | 5 |
| the same on half of the pages; in one of three sections; on a quarter | 6; 7; 9 | 11; 11; 19 |
| a field that 97 % of pages had is just not there | 19 | 19 |
| one that 84, 67, 45, 30 % had | 24, 31, 47, 47 | 29, 40, 67, 66 |
| texts are cut to a teaser; the title is the same everywhere | 8; 5 | 9; 5 |

After 30 pages only what the tagger sees, or nearly every page had, is noticed (4 to 7 and 19 pages); what values are
like is tested from 60 of them on, and a change before that is taken for normal.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, NamedTuple

from sitewright.notice.evidence import Gap, Share
from sitewright.notice.field_baseline import FieldBaseline
from sitewright.notice.observation import Observation
from sitewright.notice.page_groups import PageGroups
from sitewright.notice.signals import Occurrence, PageFacts, Signal
from sitewright.notice.streams import Alarm, Stream, finite
from sitewright.notice.template_baseline import WHOLE_PAGES, TemplateBaseline
from sitewright.store.entries import Incident, IncidentKind

SITE = ""
"""The name under which the state of the site as a whole is kept, beside those of its templates."""
WALLS = frozenset(("login_wall", "consent_wall", "bot_wall", "wall_page"))
FAILING = frozenset(
    "error_page connection_failed fetch_timeout host_not_found render_timeout render_failed too_many_redirects "
    "fetch_error page_timeout not_html robots_forbid".split()
)
_REFUSED = "not_item"
_RECENT = 60
"""Pages that diagnosis looks at."""
_REFRESHED = 64
_FADED = 0.94
"""What pages of the site count after 64 more: half after 700."""


class AlarmKey(NamedTuple):
    """What an alarm, and the incident that it opens, is about."""

    template: str
    field: str
    kind: str
    """Of a field there is one at a time, of whatever kind: empty."""


def key_of(about: Signal | Incident) -> AlarmKey:
    """Return what a signal or an incident is about."""
    return AlarmKey(about.template, about.field, "" if about.field else about.kind)


@dataclass(slots=True)
class SiteBaseline:
    """What the pages of a site usually are like."""

    templates: dict[str, TemplateBaseline] = field(default_factory=dict)
    unknown: Stream = field(default_factory=lambda: Stream("handed over", Share()))
    """Pages that no template knows."""
    walls: Stream = field(default_factory=lambda: Stream("walled", Share()))
    refused: Stream = field(default_factory=lambda: Stream("refused", Gap()))
    """Pages that are no articles."""
    failing: Stream = field(default_factory=lambda: Stream("failing", Gap()))
    sections: PageGroups = field(default_factory=PageGroups)
    recent: deque[PageFacts] = field(default_factory=lambda: deque(maxlen=_RECENT))
    pages: int = 0
    map_version: int = 0
    changed: set[str] = field(default_factory=set)
    """The names of what has to be saved."""

    def observe(self, page: Observation, *, only_learn: bool = False) -> list[Signal]:
        """Count a page and return what begins or ends with it; with `only_learn` whatever it shows is normal."""
        self._begin(page)
        signals = self._judge(page, only_learn=only_learn)
        broken: dict[str, IncidentKind] = {}
        is_handed, is_poor = page.handed, False
        if page.template and not page.code:
            template = self.templates.setdefault(page.template, TemplateBaseline())
            broken, found = template.observe(page, page.template, only_learn=only_learn)
            is_handed, is_poor = template.is_broken(page), template.is_poor(page)
            signals += found
            self.changed.add(page.template)
        facts = PageFacts(
            url=page.url,
            at=page.at,
            template=page.template,
            handed=is_handed,
            fingerprint=page.fingerprint,
            heading=page.heading,
            code=page.code,
            broken=broken,
            poor=is_poor,
        )
        self.recent.append(facts)
        return signals

    def alarms(self) -> dict[AlarmKey, Alarm]:
        """Return the alarms that are on."""
        found = {AlarmKey(SITE, "", one.kind): one.alarm for one in self._streams() if one.alarm is not None}
        for name, template in self.templates.items():
            for about, alarm in template.alarms().items():
                found[AlarmKey(name, about, "" if about else alarm.kind)] = alarm
        return found

    def hardly_read(self) -> list[PageFacts]:
        """Return the last pages in a row that the map reads next to nothing of, the first one first."""
        fetched = (page for page in reversed(self.recent) if page.code in {"", _REFUSED})
        return list(takewhile(lambda page: page.poor or page.handed or page.code, fetched))[::-1]

    def settle(self, incident: Incident) -> None:
        """End the alarm of an incident that is closed; if it was dismissed, what is now is normal."""
        key = key_of(incident)
        self.changed.add(key.template)
        if key.template == SITE:
            for stream in self._streams():
                if stream.kind == key.kind:
                    stream.close()
            return
        template = self.templates.get(key.template)
        if template is None or (key.field and key.field not in template.fields):
            return
        if incident.state == "dismissed":
            template.forget(key.field)
        else:
            template.close(key.field)

    def reconcile(self, incidents: Iterable[Incident]) -> None:
        """End the alarms that others have closed since, and raise those that were forgotten with a damaged state.

        `incidents` are all of the site, the latest first.
        """
        latest: dict[AlarmKey, Incident] = {}
        for incident in incidents:
            latest.setdefault(key_of(incident), incident)
        for key in self.alarms():
            known = latest.get(key)
            if known is not None and not known.is_open:
                self.settle(known)
        on = self.alarms()
        for key, incident in latest.items():
            if incident.is_open and key not in on and incident.kind != "unlisted":
                self._raise(key, Alarm(incident.kind, pages=incident.pages, bad=incident.pages))

    def take_on(self, other: "SiteBaseline", names: Iterable[str]) -> None:
        """Go on with what another one knows of these templates, or under `SITE` of the site as a whole."""
        for name in names:
            self.changed.add(name)
            if name != SITE:
                self.templates[name] = other.templates.get(name, TemplateBaseline())
                continue
            self.unknown, self.walls, self.refused, self.failing = other._streams()
            self.sections, self.recent = other.sections, other.recent
            self.pages, self.map_version = other.pages, other.map_version

    def _raise(self, key: AlarmKey, alarm: Alarm) -> None:
        self.changed.add(key.template)
        if key.template == SITE:
            stream = next((one for one in self._streams() if one.kind == alarm.kind), None)
        else:
            template = self.templates.setdefault(key.template, TemplateBaseline())
            if key.field:
                template.fields.setdefault(key.field, FieldBaseline()).alarm = alarm
                return
            stream = template.handed
        if stream is not None:
            stream.alarm = alarm

    def fill_over_time(self, template: str, name: str) -> list[tuple[float, float]]:
        """Return the share of pages that have a field, over time."""
        known = self.templates.get(template)
        return known.fill_over_time(name) if known is not None else []

    def usual_fields(self) -> dict[str, frozenset[str]]:
        """Return the fields that most pages of each template have."""
        return {name: template.usual_fields() for name, template in self.templates.items()}

    def take_states(self) -> dict[str, Any]:
        """Return what changed since the last time as JSON, by template; under `SITE` what is kept of the site."""
        names, self.changed = self.changed, set()
        states = {name: self.templates[name].to_state() for name in names if name in self.templates}
        return states | ({SITE: self._own_state()} if SITE in names else {})

    def _streams(self) -> tuple[Stream, Stream, Stream, Stream]:
        return (self.unknown, self.walls, self.refused, self.failing)

    def _begin(self, page: Observation) -> None:
        self.changed.add(SITE)
        self.pages += 1
        if self.pages % _REFRESHED == 0:
            self.sections.fade(_FADED)
            for stream in self._streams():
                stream.test.fade(_FADED)
        if page.map_version is not None and page.map_version != self.map_version:
            self.map_version = page.map_version
            for template in self.templates.values():
                template.clear()

    def _judge(self, page: Observation, *, only_learn: bool) -> list[Signal]:
        """Count whole pages: walls, pages that are no articles, failures, pages that no template knows."""
        code = page.code
        signals: list[Signal] = []
        happens = [(self.walls, code in WALLS), (self.refused, code == _REFUSED), (self.failing, code in FAILING)]
        if not code:
            happens.append((self.unknown, page.handed and not page.template))
        group = self.sections.page(page.section)
        occurrence = Occurrence(page.at, page.url, code)
        for stream, is_so in happens:
            if stream.alarm is not None:
                signals += _judged(stream, occurrence, is_bad=is_so)
            elif only_learn or stream.test.pages < WHOLE_PAGES:
                stream.test.learn(hit=is_so)
            elif not is_so:
                self.sections.add_missing(stream.miss(), stream.kind)
            elif stream.hit(occurrence, group.rate(stream.kind), page.section):
                signals.append(Signal(what="opened", kind=stream.kind, at=page.at, pages=tuple(stream.suspects)))
        return signals

    def _own_state(self) -> dict[str, Any]:
        return {
            "streams": [stream.to_state() for stream in self._streams()],
            "sections": self.sections.to_state(),
            "recent": [_row(facts) for facts in self.recent],
            "numbers": [self.pages, self.map_version],
        }


def load_baseline(states: Mapping[str, Any]) -> tuple[SiteBaseline, list[str]]:
    """Return the baseline whose states were kept, and which of them could not be read and begin anew."""
    site, unread = SiteBaseline(), []
    for name, state in states.items():
        try:
            if name == SITE:
                _restore(site, state)
            else:
                site.templates[name] = TemplateBaseline.from_state(state)
        except (AttributeError, LookupError, TypeError, ValueError):
            unread.append(name)
    if SITE in unread:  # it may have been read by half
        site = SiteBaseline(templates=site.templates)
    return site, unread


def _judged(stream: Stream, page: Occurrence, *, is_bad: bool) -> list[Signal]:
    if stream.judge(is_bad=is_bad):
        return [Signal(what="closed", kind=stream.kind, at=page.at)]
    return [Signal(what="affected", kind=stream.kind, at=page.at, pages=(page,))] if is_bad else []


def _restore(site: SiteBaseline, state: Mapping[str, Any]) -> None:
    for stream, kept in zip(site._streams(), state["streams"], strict=True):
        stream.restore(kept)
    site.sections = PageGroups.from_state(state["sections"])
    site.recent.extend(map(_facts, state["recent"]))
    pages, version = finite(state["numbers"])
    site.pages, site.map_version = int(pages), int(version)


def _row(facts: PageFacts) -> list[Any]:
    names = ("url", "at", "template", "handed", "fingerprint", "heading", "code")
    return [*(getattr(facts, name) for name in names), dict(facts.broken), facts.poor]


def _facts(row: list[Any]) -> PageFacts:
    url, at, template, handed, fingerprint, heading, code, broken, *later = row
    return PageFacts(
        url=str(url),
        at=finite([at])[0],
        template=str(template),
        handed=bool(handed),
        fingerprint=int(fingerprint),
        heading=int(heading),
        code=str(code),
        broken=dict(broken),
        poor=bool(later and later[0]),
    )

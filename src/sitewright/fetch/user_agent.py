"""The settings in, what we call ourselves out."""

from importlib.metadata import version

from sitewright.types import FetchSettings


def user_agent_of(settings: FetchSettings) -> str:
    """Return the value of the User-Agent header: one line of ASCII.

    >>> user_agent_of(FetchSettings(user_agent="BeeBot/1.0\\r\\n (B\u00fccher)"))
    'BeeBot/1.0 (B?cher)'
    """
    named = " ".join(settings.user_agent.split()).encode("ascii", "replace").decode("ascii")
    return named or f"Sitewright/{version('sitewright')} (collects news pages)"

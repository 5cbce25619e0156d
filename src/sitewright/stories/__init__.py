"""Records in, stories out: which of them tell the same, and which is worth reading first."""

from sitewright.stories.accounts import Account, account_of
from sitewright.stories.clusters import Link, stories_of
from sitewright.stories.grouping import WINDOW, Stories, StoriesHere, StoryWork, Told, group
from sitewright.stories.index import Keys, StoryIndex, keys_of
from sitewright.stories.model import Judgement, Kind, judge
from sitewright.stories.signs import View, view_of

__all__ = [
    "WINDOW", "Account", "Judgement", "Keys", "Kind", "Link", "Stories", "StoriesHere", "StoryIndex", "StoryWork",
    "Told", "View", "account_of", "group", "judge", "keys_of", "stories_of", "view_of",
]  # fmt: skip

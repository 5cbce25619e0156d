"""Index pages in, their links out: which lead to articles, how sure that is, and why."""

from sitewright.links.discover import feeds_of_page, sitemaps_of_robots, sitemaps_to_follow, usual_places
from sitewright.links.feeds import Feed, FeedEntry, is_feed, read_feed
from sitewright.links.index import Care, LearnedIndex, learn_index, measure_index
from sitewright.links.judge import ARTICLE, Judged, judge
from sitewright.links.merge import links_of_feed, merge_feeds
from sitewright.links.model import LinkModel, load_model
from sitewright.links.page import PageLinks, read_page
from sitewright.links.paging import Paging, find_paging, next_url
from sitewright.links.selected import entry_for, select_links
from sitewright.links.story_pages import StoryPages, find_story_pages

__all__ = [
    "ARTICLE",
    "Care",
    "Feed",
    "FeedEntry",
    "Judged",
    "LearnedIndex",
    "LinkModel",
    "PageLinks",
    "Paging",
    "StoryPages",
    "entry_for",
    "feeds_of_page",
    "find_paging",
    "find_story_pages",
    "is_feed",
    "judge",
    "learn_index",
    "links_of_feed",
    "load_model",
    "measure_index",
    "merge_feeds",
    "next_url",
    "read_feed",
    "read_page",
    "select_links",
    "sitemaps_of_robots",
    "sitemaps_to_follow",
    "usual_places",
]

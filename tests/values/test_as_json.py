"""What comes back from JSON is known without writing any."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.types import Photo
from sitewright.values.as_json import json_of, plain_of

OFFSETS = [timezone(timedelta(minutes=minutes)) for minutes in (-570, 0, 180, 345)]
PHOTOS = st.builds(Photo, url=st.text("ab/:"), caption=st.text("ab é"), width=st.none() | st.integers(1, 9))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats()
    | st.text(alphabet=st.characters(exclude_categories=["Cs"]))
    | st.dates()
    | st.datetimes(timezones=st.none() | st.sampled_from(OFFSETS))
    | PHOTOS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_plain_is_what_json_gives_back(value: Any) -> None:
    assert plain_of({"x": value}) == orjson.loads(json_of({"x": value}))


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (date(2024, 5, 6), "2024-05-06"),
        (datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC), "2024-05-06T07:08:09+00:00"),
        (("a", Photo(url="u")), ["a", {"url": "u", "caption": "", "credit": ""}]),
        (float("nan"), None),
    ],
)
def test_plain_values(value: Any, plain: Any) -> None:
    assert plain_of(value) == plain


def test_what_records_do_not_hold_is_refused() -> None:
    with pytest.raises(TypeError, match="object is not a value"):
        plain_of(object())

"""The shipped model: whether a pair tells the same story."""

import pytest

from sitewright.stories.accounts import account_of
from sitewright.stories.model import judge
from sitewright.stories.signs import View, view_of

TEXT = (
    "A fire destroyed the roof of the old town hall in Bremen on Tuesday night. The mayor, Ulrike Vogel, said that "
    "twelve people were hurt, two of them badly. Firefighters from Oldenburg helped until the morning. What caused it "
    "is not known; the police look for a man in a green coat."
)


def view(title: str, text: str) -> View:
    return view_of(account_of(title, text))


FIRE = view("Fire in Bremen's town hall", TEXT)


@pytest.mark.parametrize(
    ("title", "text", "kind"),
    [
        ("Fire in Bremen's town hall", TEXT, "copy"),
        ("Fire in Bremen's town hall", TEXT.replace("Tuesday", "Tuesday ").upper(), "copy"),
        ("Town hall of Bremen burns", TEXT.rpartition(";")[0] + ".", "near copy"),
        (
            "Bremen: twelve hurt as town hall burns",
            "Twelve people were hurt when the town hall of Bremen burned on Tuesday night, mayor Ulrike Vogel said.",
            "same event",
        ),
        (
            "Storm over Lisbon",
            "Trains stood still and trees fell in Lisbon when a storm came in from the sea.",
            "other",
        ),
        ("", "", "other"),
    ],
)
def test_kinds(title: str, text: str, kind: str) -> None:
    (said,) = judge([(FIRE, view(title, text))])
    assert said.kind == kind
    assert said.same == (kind != "other")
    assert 0 <= said.score <= 1


def test_chinese_and_russian_are_judged() -> None:
    pairs = [
        (view("", "济南市进口冷冻牛肉样本阳性，已封存二十六吨"), view("", "济南一批进口冷冻牛肉样本阳性，全部封存")),
        (
            view("В Бремене сгорела ратуша, пострадали 12 человек", ""),
            view("12 пострадавших при пожаре в ратуше Бремена", ""),
        ),
    ]
    assert all(said.same for said in judge(pairs))


def test_no_pairs_no_judgements() -> None:
    assert judge([]) == []

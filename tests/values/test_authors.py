"""authors.v1: bylines in, names out."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.types import Value

Read = Callable[..., Value | None]


def names(value: Value | None) -> object:
    return [] if value is None else value.value


BYLINES: list[tuple[str, list[str]]] = [
    ("Ann Lee", ["Ann Lee"]),
    ("By Ann Lee", ["Ann Lee"]),
    ("by Ann Lee", ["Ann Lee"]),
    ("BY ANN LEE", ["ANN LEE"]),
    ("By: Ann Lee", ["Ann Lee"]),
    ("Written by Ann Lee", ["Ann Lee"]),
    ("Story by Ann Lee", ["Ann Lee"]),
    ("Words by Ann Lee", ["Ann Lee"]),
    ("By Ann Lee and Bo Ek", ["Ann Lee", "Bo Ek"]),
    ("By Ann Lee & Bo Ek", ["Ann Lee", "Bo Ek"]),
    ("By Ann Lee, Bo Ek and Cy Fox", ["Ann Lee", "Bo Ek", "Cy Fox"]),
    ("By Ann Lee, Bo Ek, and Cy Fox", ["Ann Lee", "Bo Ek", "Cy Fox"]),
    ("Ann Lee | Bo Ek", ["Ann Lee", "Bo Ek"]),
    ("Ann Lee; Bo Ek", ["Ann Lee", "Bo Ek"]),
    ("Ann Lee / Bo Ek", ["Ann Lee", "Bo Ek"]),
    ("By Ann Lee, Political Correspondent", ["Ann Lee"]),
    ("By Ann Lee, BBC News", ["Ann Lee"]),
    ("Ann Lee, Senior Reporter", ["Ann Lee"]),
    ("By Ann Lee, Staff Writer", ["Ann Lee"]),
    ("By Ann Lee and Bo Ek, Berlin correspondents", ["Ann Lee", "Bo Ek"]),
    ("Ann Lee in Berlin", ["Ann Lee"]),
    ("Ann Lee (Berlin)", ["Ann Lee"]),
    ("By Ann Lee ann.lee@example.com", ["Ann Lee"]),
    ("By Ann Lee <ann.lee@example.com>", ["Ann Lee"]),
    ("By Ann Lee 3 Hours ago", ["Ann Lee"]),
    ("By Ann Lee | Updated 5 May 2024", ["Ann Lee"]),
    ("By Ann Lee, Published May 6, 2024", ["Ann Lee"]),
    ("By Ann Lee @annlee", ["Ann Lee"]),
    ("Ann Lee • Follow", ["Ann Lee"]),
    ("By Mary-Jane O'Neil", ["Mary-Jane O'Neil"]),
    ("By J. R. R. Tolkien", ["J. R. R. Tolkien"]),
    ("By Ludwig van Beethoven", ["Ludwig van Beethoven"]),
    ("Ana da Silva", ["Ana da Silva"]),
    ("Da Silva", ["Da Silva"]),
    ("Di Stefano", ["Di Stefano"]),
    ("Madonna", ["Madonna"]),
    ("Von Jörg Maier", ["Jörg Maier"]),
    ("Von Jörg Maier und Anna Schmidt", ["Jörg Maier", "Anna Schmidt"]),
    ("Von Jörg Maier, dpa", ["Jörg Maier"]),
    ("Text: Jörg Maier", ["Jörg Maier"]),
    ("By Ann Lee of the Daily Bee", ["Ann Lee"]),
    ("Szerző: Kiss Anna", ["Kiss Anna"]),
    ("Επιμέλεια: Άννα Λι", ["Άννα Λι"]),
    ("이철수ㆍ박영희 기자 lee@example.com", ["이철수", "박영희"]),
    ("快訊／王小明 2020年03月12日 20:19:00", ["快訊", "王小明"]),
    ("（记者王小明通讯员李红）", ["王小明", "李红"]),
    ("新华社北京10月14日电", ["新华社"]),
    ("中新网1月17日电", ["中新网"]),
    ("（中央社記者王小明台北21日電）", ["王小明"]),
    ("《财经》", []),
    ("Autor: Jörg Maier", ["Jörg Maier"]),
    ("Par Élise Dupont", ["Élise Dupont"]),
    ("Par Élise Dupont et Jean Martin", ["Élise Dupont", "Jean Martin"]),
    ("Par Élise Dupont avec AFP", ["Élise Dupont"]),
    ("Por María García", ["María García"]),
    ("Por María García y Juan Pérez", ["María García", "Juan Pérez"]),
    ("Di Marco Rossi", ["Marco Rossi"]),
    ("di Marco Rossi e Anna Bianchi", ["Marco Rossi", "Anna Bianchi"]),
    ("Door Jan de Vries", ["Jan de Vries"]),
    ("Av Karin Öberg", ["Karin Öberg"]),
    ("Autor: Jan Kowalski", ["Jan Kowalski"]),
    ("Teksti: Matti Virtanen", ["Matti Virtanen"]),
    ("Автор: Иван Петров", ["Иван Петров"]),
    ("Автор Иван Петров", ["Иван Петров"]),
    ("Текст: Иван Петров, Мария Сидорова", ["Иван Петров", "Мария Сидорова"]),
    ("Иван Петров и Мария Сидорова", ["Иван Петров", "Мария Сидорова"]),
    ("Иван Петров, корреспондент", ["Иван Петров"]),
    ("Από Γιώργος Παπαδόπουλος", ["Γιώργος Παπαδόπουλος"]),
    ("Yazan: Ayşe Yılmaz", ["Ayşe Yılmaz"]),
    ("Oleh Budi Santoso", ["Budi Santoso"]),
    ("بقلم: أحمد علي", ["أحمد علي"]),
    ("作者：王小明", ["王小明"]),
    ("记者 王小明", ["王小明"]),
    ("记者：王小明、李大伟", ["王小明", "李大伟"]),
    ("文/王小明", ["王小明"]),
    ("文● 王小明", ["王小明"]),
    ("Recueilli par Anne Lefèvre", ["Anne Lefèvre"]),
    ("作者：王小明 编辑：李大伟", ["王小明"]),
    ("記者 山田太郎", ["山田太郎"]),
    ("山田太郎", ["山田太郎"]),
    ("執筆：山田太郎", ["山田太郎"]),
    ("글 김철수", ["김철수"]),
    ("김철수", ["김철수"]),
    ("김철수 기자", ["김철수"]),
    ("홍길동 기자 hong@example.co.kr", ["홍길동"]),
    ("Reuters", ["Reuters"]),
    ("By The Associated Press", ["The Associated Press"]),
    ("AFP", ["AFP"]),
    ("dpa", ["dpa"]),
    ("新华社", ["新华社"]),
    ("ТАСС", ["ТАСС"]),
    ("AP, Reuters", ["AP", "Reuters"]),
    ("Ann Lee, Reuters", ["Ann Lee"]),
    ("By Ann Lee, Associated Press", ["Ann Lee"]),
    ("Ann Lee/AFP", ["Ann Lee"]),
    ("Ann Lee and Reuters", ["Ann Lee"]),
    ("Иван Петров, ТАСС", ["Иван Петров"]),
    ("Ann Lee, Ann Lee", ["Ann Lee"]),
    ("Ann Lee, ANN LEE", ["Ann Lee"]),
    ("3 Hours ago", []),
    ("Hours ago", []),
    ("Updated May 6, 2024", []),
    ("Share on Facebook", []),
    ("Subscribe", []),
    ("Staff Writer", []),
    ("ann.lee@example.com", []),
    ("https://example.com/ann", []),
    ("", []),
    ("By", []),
    ("-", []),
    ("2024-05-06", []),
]


@pytest.mark.parametrize(("byline", "expected"), BYLINES)
def test_bylines(read_value: Read, byline: str, expected: list[str]) -> None:
    escaped = byline.replace("<", "&lt;").replace(">", "&gt;")
    assert names(read_value(f"<p id=v>{escaped}</p>", "authors.v1")) == expected


def test_each_element_is_a_name_and_each_name_stands_once(read_value: Read) -> None:
    page = "<a class=n>Ann Lee</a> <a class=n>Bo Ek</a> <a class=n>ann lee</a> <a class=n>Reuters</a>"
    assert names(read_value(page, "authors.v1", select=(".n",), many=True)) == ["Ann Lee", "Bo Ek"]


def test_blocks_of_a_byline_are_lines_of_their_own(read_value: Read) -> None:
    page = "<div id=v><div>By Ann Lee</div><div>Berlin correspondent</div><time>3 Hours ago</time></div>"
    assert names(read_value(page, "authors.v1")) == ["Ann Lee"]


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        ({"@type": "Person", "name": "Ann Lee"}, ["Ann Lee"]),
        ([{"@type": "Person", "name": "Ann Lee"}, {"name": "Bo Ek"}], ["Ann Lee", "Bo Ek"]),
        ("Ann Lee", ["Ann Lee"]),
        (["Ann Lee", "Bo Ek"], ["Ann Lee", "Bo Ek"]),
        ("By Ann Lee and Bo Ek", ["Ann Lee", "Bo Ek"]),
        ({"@type": "Organization", "name": "Reuters"}, ["Reuters"]),
        ([{"name": "Ann Lee"}, {"@type": "Organization", "name": "Reuters"}], ["Ann Lee"]),
        ({"@type": "Person"}, []),
    ],
)
@pytest.mark.parametrize("path", ["author", "author.name"])
def test_authors_of_jsonld(read_value: Read, author: object, expected: list[str], path: str) -> None:
    script = json.dumps({"@type": "NewsArticle", "author": author})
    page = f'<script type="application/ld+json">{script}</script>'
    assert names(read_value(page, "authors.v1", select=(), take=f"jsonld:NewsArticle.{path}", many=True)) == expected


@given(
    st.lists(
        st.sampled_from(["Ann Lee", "Bo Ek", "Иван Петров", "王小明", "Jean-Luc Picard", "Zoë Ünal"]),
        min_size=1,
        max_size=4,
        unique=True,
    )
)
def test_names_with_commas_between_come_back(read_value: Read, people: list[str]) -> None:
    assert names(read_value(f"<p id=v>By {', '.join(people)}</p>", "authors.v1")) == people


@pytest.mark.parametrize(
    "name", ["April Ryan", "August Wilson", "June Park", "Will Newsome", "Anne Chefson", "May Britt"]
)
def test_names_that_are_also_words_stay_names(read_value: Read, name: str) -> None:
    assert read_value(f"<p id=v>By {name}</p>", "authors.v1").value == [name]


@pytest.mark.parametrize("line", ["Monday", "May", "Monday, 6 May 2024", "News team", "x" * 100_000, "字" * 100_000])
def test_days_teams_and_texts_are_no_names(read_value: Read, line: str) -> None:
    assert read_value(f"<p id=v>{line}</p>", "authors.v1") is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Ann Ek June 3, 2023 Diary", ["Ann Ek"]),
        ("Oct 3 2023 by Bo Lee", ["Bo Lee"]),
        ("Mar 4 Written By Ann Lee", ["Ann Lee"]),
        ("Luc Morel, Mis à jour le 3 mai 2023 10:00", ["Luc Morel"]),
        ("By Ann Lee | Bo Ek (Team, The Lantern) January 3, 2023 | 7 Comments", ["Ann Lee", "Bo Ek"]),
        ("Ann Lee Staff Writer", ["Ann Lee"]),
        ("Written by Rob Ek Edited by Bo Beyer", ["Rob Ek", "Bo Beyer"]),
        ("Jörg Maier 3 Hours ago", ["Jörg Maier"]),
        ("Ann Lee @ The Lantern", ["Ann Lee"]),
        ("Submitted by Ann Lee", ["Ann Lee"]),
        ("Eine Kolumne von Ann Lee", ["Ann Lee"]),
        ("Redaktion: Ann Lee", ["Ann Lee"]),
        ("Andrea von Maier", ["Andrea von Maier"]),
        ("By the Orbi Team", ["the Orbi Team"]),
        ("Ann Lee, MD", ["Ann Lee"]),
        ("By R. Ek J.D.", ["R. Ek J.D."]),
        ("Bo Lee Jr.", ["Bo Lee Jr."]),
        ("By Ann Lee.", ["Ann Lee"]),
    ],
)
def test_what_stands_beside_a_name_is_no_part_of_it(read_value: Read, line: str, expected: list[str]) -> None:
    assert read_value(f"<p id=v>{line}</p>", "authors.v1").value == expected

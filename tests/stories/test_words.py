"""Words as duplicates are told by."""

import pytest

from sitewright.stories.words import first_sentence, folded, letters_of, names_of, numbers_of, quoted_of, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The elections", ["the", "elect"]),
        ("北京市 covid19", ["北京市", "covid"]),
        ("東京オリンピック", ["東京", "京オ", "オリ", "リン", "ンピ", "ピッ", "ック"]),
        ("新冠covid疫情", ["新冠", "covid", "疫情"]),
        ("ไทยรัฐ", ["ไทย", "ทยร", "ยรั", "รัฐ"]),
        ("春", ["春"]),
        ("", []),
        ("…!?", []),
    ],
)
def test_words_are_cut_to_stems_and_runs_without_spaces_to_grams(text: str, words: list[str]) -> None:
    assert words_of(folded(text)) == words


def test_inflected_forms_fold() -> None:
    assert words_of("президента") == words_of("президентом")


def test_compatible_forms_are_alike() -> None:
    assert folded("ＡＢＣ １２") == "abc 12"


def test_the_first_sentence_takes_the_next_where_it_is_short() -> None:
    assert first_sentence("Short. And the second one is longer than thirty. Third.").endswith("than thirty.")
    assert first_sentence("没有空格。第二句在这里，也很长很长很长很长很长很长很长很长很长很长很长。第三句") != ""
    assert first_sentence("") == ""
    assert len(first_sentence("x" * 5000)) <= 300


def test_numbers_and_names() -> None:
    assert numbers_of("1,200 of 3.5 in 2024") == ["1,200", "3.5", "2024"]
    assert names_of("Yesterday Anna met Борис in Łódź. Then she left") == ["anna", "борис", "łódź"]


def test_names_in_chinese_are_told_by_the_dictionary() -> None:
    assert "武磊" in names_of("来西班牙后最冷一战！武磊庆祝新年首战进球")
    assert names_of("今天天气很好") == []


def test_single_ideographs_and_what_is_quoted() -> None:
    assert letters_of("covid 疫情") == ["疫", "情"]
    assert quoted_of(folded("The film „Hidden Lake“ and «Озеро», said \"he\" of 《长津湖》")) == [
        "hidden lake", "озеро", "he", "长津湖",
    ]  # fmt: skip
    assert quoted_of("no “end") == []

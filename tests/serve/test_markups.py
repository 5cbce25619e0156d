"""Pieces of pages are made once for all that they depend on."""

from concurrent.futures import ThreadPoolExecutor

from sitewright.serve.markups import Markups


def test_a_piece_is_made_once() -> None:
    made: list[str] = []

    def macro(subject: str) -> str:
        made.append(subject)
        return subject.upper()

    markups = Markups(most=2)
    assert [markups.kept(macro, "a", 1), markups.kept(macro, "a", 1), markups.kept(macro, "a", 2)] == ["A", "A", "A"]
    assert made == ["a", "a"], "what it depends on is another one"
    markups.kept(macro, "b", 3)
    markups.kept(macro, "a", 1)
    assert made == ["a", "a", "b", "a"], "the oldest is forgotten"


def test_many_threads_make_pieces_and_forget_them() -> None:
    markups = Markups(most=3)

    def ask(thread: int) -> bool:
        return all(markups.kept(str, number, thread, number) == str(number) for number in range(2_000))

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(ask, range(8)))
    assert len(markups._made) == 3

"""Files by address are read and written as a whole; nothing half is ever seen under its name."""

from pathlib import Path

import pytest
from tests import needs

from sitewright.errors import InputError, OutputError
from sitewright.processes.shared_files import SharedFolder, here, listed

pytestmark = [needs.spark]


@pytest.fixture(params=["path", "address"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "out") if request.param == "path" else (tmp_path / "out").as_uri()


def test_what_is_put_is_there(place: str, tmp_path: Path) -> None:
    folder = SharedFolder(place)
    assert folder.names() == set()
    (tmp_path / "a").write_bytes(b"x" * 3_000_000)
    folder.put("part-0", tmp_path / "a")
    folder.put_text("part-1", "été")
    folder.put_text("part-1", "été 2")
    assert folder.names() == {"part-0", "part-1"}
    assert folder.text("part-1") == "été 2"
    with here(f"{place}/part-0") as path:
        assert Path(path).stat().st_size == 3_000_000


def test_drafts_of_ended_tasks_are_removed(place: str, tmp_path: Path) -> None:
    folder = SharedFolder(place)
    folder.put_text("part-0", "a")
    (tmp_path / "out" / "_drafts" / "half").write_bytes(b"half")
    assert folder.names() == {"part-0"}
    folder.drop_drafts()
    assert [one.name for one in (tmp_path / "out").iterdir()] == ["part-0"]


def test_a_folder_elsewhere_is_its_files(place: str, tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.jsonl"):
        SharedFolder(place).put_text(name, "{}")
    address = (tmp_path / "out").as_uri() + "/"
    assert listed(address) == [f"{address}a.jsonl", f"{address}b.jsonl"]
    assert listed(str(tmp_path)) == [str(tmp_path)]


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"), here((tmp_path / "none.warc").as_uri()):
        pass
    with pytest.raises(InputError, match="no file in"):
        listed((tmp_path / "none").as_uri() + "/")
    with pytest.raises(InputError, match="cannot reach"):
        SharedFolder("nowhere://x/y").names()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError, match="cannot write"):
        SharedFolder(str(tmp_path / "file")).put("a", tmp_path / "file")

"""Who holds a site, and whether they are gone."""

import subprocess
import sys

import pytest

from sitewright.watch.owners import is_gone, own_name

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc tells when a process began")


def test_a_process_that_works_is_not_gone() -> None:
    assert not is_gone(own_name())
    assert own_name() != own_name()


def test_a_process_that_has_ended_is_gone() -> None:
    script = "from sitewright.watch.owners import own_name; print(own_name())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert is_gone(done.stdout.strip())


def test_a_number_that_another_process_has_now_is_gone() -> None:
    machine, number, beginning, *others = own_name().split(":")
    assert is_gone(":".join((machine, number, str(int(beginning) - 1), *others)))


def test_of_a_machine_or_container_of_the_same_name_nobody_knows() -> None:
    """Clones of a machine, and containers that go by its name, count their processes by themselves."""
    machine, number, beginning, place, own = own_name().split(":")
    other = format(int(place, 16) ^ 1, "08x")
    assert is_gone(":".join((machine, number, str(int(beginning) - 1), place, own)))
    assert not is_gone(":".join((machine, number, str(int(beginning) - 1), other, own)))


@pytest.mark.parametrize("owner", ["elsewhere:1:2:3:4", "a person", "", "a:b:c:d:e", "host:1:2", "host:1:2:3"])
def test_of_others_nobody_knows(owner: str) -> None:
    assert not is_gone(owner)

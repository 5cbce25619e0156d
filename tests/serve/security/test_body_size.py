"""More than anything here has use for is not taken in, announced or not."""

from collections.abc import Iterator

from fastapi.testclient import TestClient


def test_what_is_too_much_is_refused(client: TestClient) -> None:
    assert client.post("/marks", content=b"x" * 8_000_001).status_code == 413

    def parts() -> Iterator[bytes]:
        for _ in range(9):
            yield b"x" * 1_000_000

    assert client.post("/marks", content=parts()).status_code == 413

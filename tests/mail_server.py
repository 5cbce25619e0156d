"""A mail server on this machine, which speaks SMTP as far as programs that send need it, and keeps what it gets."""

import base64
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread


@dataclass
class Mailbox:
    """What came, and how the server behaves."""

    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    users: list[str] = field(default_factory=list)
    """Who logged in, with their passwords."""
    refuses: str = ""
    """What is answered to recipients instead of taking them."""
    certificate: Path | None = None


class _Talk(StreamRequestHandler):
    server: "_Server"

    def handle(self) -> None:
        box = self.server.box
        self._say("220 mail.example")
        while line := self.rfile.readline():
            word = line.decode("latin-1").strip().partition(" ")[0].upper()
            if word == "EHLO":
                self._say(
                    "250-mail.example\r\n250-AUTH PLAIN\r\n250-STARTTLS"
                    if box.certificate
                    else "250-mail.example\r\n250-AUTH PLAIN",
                    last="250 8BITMIME",
                )
            elif word == "STARTTLS":
                self._say("220 go on")
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(str(box.certificate))
                try:
                    secured = context.wrap_socket(self.connection, server_side=True)
                except (ssl.SSLError, OSError):
                    return
                self.connection = secured
                self.rfile, self.wfile = secured.makefile("rb"), secured.makefile("wb", 0)
            elif word == "AUTH":
                box.users.append(base64.b64decode(line.split()[-1]).decode().replace("\0", " ").strip())
                self._say("235 welcome")
            elif word == "RCPT" and box.refuses:
                self._say(box.refuses)
            elif word == "DATA":
                self._say("354 go on")
                body = b""
                while not body.endswith(b"\r\n.\r\n"):
                    body += self.rfile.readline()
                box.mails.append(message_from_bytes(body[:-3], policy=policy.default))
                self._say("250 taken")
            elif word == "QUIT":
                self._say("221 bye")
                return
            else:
                self._say("250 well")

    def finish(self) -> None:
        super().finish()
        self.connection.close()  # the one that was wrapped, where it was

    def _say(self, *lines: str, last: str = "") -> None:
        self.wfile.write("".join(f"{line}\r\n" for line in (*lines, *([last] if last else []))).encode())


class _Server(ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    box: Mailbox


@contextmanager
def open_mailbox(certificate: Path | None = None) -> Iterator[Mailbox]:
    """Serve a mailbox on a free port of this machine; with a certificate (PEM, its key within) over TLS."""
    with _Server(("127.0.0.1", 0), _Talk) as server:
        server.box = Mailbox(server.server_address[1], certificate=certificate)
        running = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        running.start()
        try:
            yield server.box
        finally:
            server.shutdown()
            running.join()

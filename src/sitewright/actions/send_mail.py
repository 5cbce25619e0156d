"""A letter and an address in, the mail sent by the server of the settings, as plain text and as HTML."""

import smtplib
import ssl
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from ipaddress import ip_address

from sitewright.errors import DeliveryRefused, NotDelivered, SettingsError
from sitewright.output.letter import Letter, html_of, text_of
from sitewright.types import MailSettings
from sitewright.values.words import short

_PORTS = {"starttls": 587, "tls": 465, "none": 25}
_SECONDS = 30.0
_SUBJECT = 200
_FOR_GOOD = range(500, 600)


def send_mail(settings: MailSettings, to: str, letter: Letter, name: str) -> None:
    """Send a letter; `name` is the same where it is sent again. `NotDelivered` says why it was not taken."""
    check_mail(settings)
    message = mail_of(settings, to, letter, name)
    try:
        with _connected(settings) as server:
            if settings.user:
                server.login(settings.user, settings.password)
            server.send_message(message)
    except smtplib.SMTPRecipientsRefused as error:
        code, said = next(iter(error.recipients.values()), (550, b""))
        raise _refusal(code, said) from error
    except smtplib.SMTPResponseException as error:
        raise _refusal(error.smtp_code, error.smtp_error) from error
    except (smtplib.SMTPException, OSError) as error:
        raise NotDelivered(f"{settings.host}: {error or type(error).__name__}") from error


def check_mail(settings: MailSettings) -> None:
    """Refuse settings with which no mail can be sent, or with which a password would be read on the way."""
    if not settings.host:
        raise SettingsError("no mail can be sent: set mail.host (and mail.user, SITEWRIGHT_MAIL_PASSWORD)")
    if "@" not in parseaddr(settings.sender or settings.user)[1]:
        raise SettingsError("mail.sender: expected who mail is from, as in Sitewright <news@example.com>")
    if settings.encryption == "none" and settings.user and not _is_here(settings.host):
        raise SettingsError("mail.encryption: a password is not sent to another machine without; use starttls or tls")


def mail_of(settings: MailSettings, to: str, letter: Letter, name: str) -> EmailMessage:
    """Return the mail, with nothing of strangers in its headers but a subject of one line."""
    called, own = parseaddr(settings.sender or settings.user)
    message = EmailMessage()
    message["From"] = Address(called or "Sitewright", addr_spec=own)
    message["To"] = to
    message["Subject"] = short(letter.subject, _SUBJECT)
    message["Date"] = format_datetime(datetime.now(UTC))
    message["Message-ID"] = f"<{name}@{_domain(settings)}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text_of(letter))
    message.add_alternative(html_of(letter), subtype="html")
    return message


def _connected(settings: MailSettings) -> smtplib.SMTP:
    port, context = settings.port or _PORTS[settings.encryption], ssl.create_default_context()
    name = _domain(settings)  # or the resolver would be asked for ours
    if settings.encryption == "tls":
        return smtplib.SMTP_SSL(settings.host, port, name, timeout=_SECONDS, context=context)
    server = smtplib.SMTP(settings.host, port, name, timeout=_SECONDS)
    if settings.encryption == "starttls":
        try:
            server.starttls(context=context)
        except BaseException:
            server.close()
            raise
    return server


def _domain(settings: MailSettings) -> str:
    return parseaddr(settings.sender or settings.user)[1].rpartition("@")[2]


def _refusal(code: int, said: bytes | str) -> NotDelivered:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    kind = DeliveryRefused if code in _FOR_GOOD else NotDelivered
    return kind(f"the mail server answered with {code}: {short(text)}")


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

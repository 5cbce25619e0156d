"""What went wrong with a connection in, one sentence with what to do about it out."""

import errno
import ssl

_UNREACHABLE = frozenset((errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN))


def explain(error: OSError) -> str:
    """Say for a person what an error of the system means.

    >>> explain(ConnectionRefusedError(111, "Connection refused"))
    'connection refused, nobody listens there; check the address, or try again later'
    """
    if isinstance(error, ssl.SSLCertVerificationError):
        return (
            f"its certificate is not valid ({error.verify_message}); check the address, try it with http://, or name "
            "the file of an authority that you trust in the variable SSL_CERT_FILE"
        )
    if isinstance(error, ssl.SSLError):
        return f"no secure connection ({_words(error.reason) or error}); try the address with http://"
    if isinstance(error, ConnectionRefusedError):
        return "connection refused, nobody listens there; check the address, or try again later"
    if isinstance(error, ConnectionError):
        return "the server hung up without a whole answer; try again later"
    if error.errno in _UNREACHABLE:
        return "there is no way to it from here; check whether this machine is online"
    return f"{error.strerror or error}; try again later"


def _words(reason: str | None) -> str:
    return (reason or "").replace("_", " ").lower()

"""Bytes in, gzip members out that say how long they are, and back; a file of them is walked without unpacking it."""

import os
import struct
import zlib

_START = struct.Struct("<4sIBBH2sHII")
"""Magic and flags, time, extra flags, system, length of the extra field; its name, length, and the two lengths."""
_MAGIC = b"\x1f\x8b\x08\x04"
_NAME = b"sl"
"""The skip lengths of WARC's annex on compression: bytes of the member, bytes of what is in it."""
_END = struct.Struct("<II")
_LEVEL = 3
"""300 news pages: 150 MB/s, to a fifth of their size; level 6 takes twice the time for a tenth less."""


def pack(content: bytes) -> bytes:
    """Return content as one gzip member.

    >>> unpack(pack(b"Hello"))
    b'Hello'
    """
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(content) + packer.flush()
    length = _START.size + len(packed) + _END.size
    start = _START.pack(_MAGIC, 0, 0, 255, 12, _NAME, 8, length, len(content))
    return start + packed + _END.pack(zlib.crc32(content), len(content) & 0xFFFFFFFF)


def unpack(member: bytes) -> bytes:
    """Return what is in a member; `ValueError` where it is torn or damaged."""
    try:
        unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        content = unpacker.decompress(member)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("the member is torn")
    return content


def is_member(member: bytes) -> bool:
    """Tell by its start whether bytes are one member, from its beginning to its end."""
    return len(member) == _length(member[: _START.size])


def whole_bytes(descriptor: int) -> int:
    """Return how many bytes from the start of a file are whole members."""
    size = os.fstat(descriptor).st_size
    here = last = 0
    while here < size:
        length = _length(os.pread(descriptor, _START.size, here))
        if not length or here + length > size:
            break
        last, here = here, here + length
    return here if here == last or _is_whole(os.pread(descriptor, here - last, last)) else last


def _length(start: bytes) -> int:
    """Return the length of a member from its start; 0 where it is none of ours."""
    if len(start) < _START.size:
        return 0
    magic, _, _, _, _, name, _, length, _ = _START.unpack(start)
    return int(length) if (magic, name) == (_MAGIC, _NAME) and length > _START.size else 0


def _is_whole(member: bytes) -> bool:
    try:
        unpack(member)
    except ValueError:
        return False
    return True

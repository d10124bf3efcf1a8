"""Citations under their former names, for the pages of the site."""

from oddtrick.book.read_citation import Unread, bare, spoken
from oddtrick.book.read_citation import read_citation as read
from oddtrick.book.write_citation import STYLES, cite, cite_all, csl, date_words, open_copy
from oddtrick.law.address import Address
from oddtrick.law.names import exists, law_words, path_of

__all__ = [
    "STYLES",
    "Unread",
    "bare",
    "cite",
    "cite_all",
    "csl",
    "date_words",
    "exists",
    "law_words",
    "natural",
    "open_copy",
    "path_of",
    "read",
    "spoken",
]


def natural(address: str) -> tuple[str, tuple[tuple[int, int, str], ...]]:
    """What sorts addresses as a reader counts."""
    own = Address(address)
    return own.code, own.order

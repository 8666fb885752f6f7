"""Checks and settings shared by both clients: address, key, timeouts."""

from __future__ import annotations

import os
from typing import Generator
from urllib.parse import urlsplit

import httpx

from ._version import __version__

HEADERS = {"User-Agent": f"docmill-python/{__version__}", "Accept-Encoding": "gzip, deflate"}
TIMEOUT = httpx.Timeout(90.0, connect=10.0)
"""Generate answers within 60 seconds, at the latest with 504."""


class KeyAuth(httpx.Auth):
    """Adds the key to each request. Nothing else holds the key, and it has no readable representation."""

    def __init__(self, api_key: str | None) -> None:
        key = api_key if api_key is not None else os.environ.get("DOCMILL_API_KEY", "")
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            raise ValueError("api_key: pass the key of your account, or set DOCMILL_API_KEY")
        self.__header = f"Bearer {key}"

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Adds the header."""
        request.headers["Authorization"] = self.__header
        yield request

    def __reduce__(self) -> str:
        raise TypeError("a client cannot be pickled: it holds a key")


def operator_key_of(operator_key: str | None) -> str:
    """The key of an operator. Raises ValueError if there is none."""
    key = operator_key if operator_key is not None else os.environ.get("DOCMILL_OPERATOR_KEY", "")
    if not key:
        raise ValueError("operator_key: pass the key of an operator, or set DOCMILL_OPERATOR_KEY")
    return key


def service_address(base_url: str | None) -> str:
    """The address without a trailing slash. Raises ValueError if it is invalid or contains a password."""
    address = base_url if base_url is not None else os.environ.get("DOCMILL_URL", "")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("base_url: pass the address of your service, such as https://docs.example.com, or set DOCMILL_URL")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("base_url: must have no user, query or fragment")
    return address.rstrip("/")

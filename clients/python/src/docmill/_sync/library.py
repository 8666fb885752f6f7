# Made from the file of the same name in _async by `npm run generate`.
"""Pictures, fonts and words stored in the account."""

from __future__ import annotations

from typing import Iterator, List, Mapping

from .._request import FileSource, build, file_name, form, path_id
from ..documents import File, PathLike
from ..types import AccountFont, Asset, Dictionary, Font, InvoiceReport
from .transport import Transport


class Assets:
    """`client.assets`: pictures."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def upload(
        self,
        file: FileSource,
        name: str | None = None,
        *,
        kind: str | None = None,
        idempotency_key: str | None = None,
    ) -> Asset:
        """Stores a picture or a PDF, or replaces the one with the same name; any other file with `kind` "file"."""
        filename = file_name(file, name)
        fields = {"name": filename} if kind is None else {"name": filename, "kind": kind}
        body, content_type = form(fields, file, filename)
        request = build("POST", "/v1/assets", body=body, content_type=content_type, idempotency_key=idempotency_key)
        asset: Asset = self._transport.json(request)
        return asset

    def list(self, *, name: str | None = None, limit: int | None = None) -> List[Asset]:
        """One page of pictures, newest first."""
        request = build("GET", "/v1/assets", query={"name": name, "limit": limit})
        answer: List[Asset] = self._transport.json(request)
        return answer

    def iterate(self, *, name: str | None = None, page_size: int | None = None) -> Iterator[Asset]:
        """All pictures, newest first."""
        for entry in self._transport.pages("/v1/assets", {"name": name, "limit": page_size}):
            yield entry

    def get(self, asset_id: str) -> Asset:
        """The metadata of a picture."""
        asset: Asset = self._transport.json(build("GET", f"/v1/assets/{path_id(asset_id)}"))
        return asset

    def download(self, asset_id: str, *, to: PathLike | None = None) -> File:
        """The picture."""
        return (self._transport.file(build("GET", f"/v1/assets/{path_id(asset_id)}/content"), to))[0]

    def delete(self, asset_id: str, *, if_match: str | None = None) -> None:
        """Deletes a picture."""
        headers = {"If-Match": if_match}
        self._transport.json(build("DELETE", f"/v1/assets/{path_id(asset_id)}", headers=headers))


class Fonts:
    """`client.fonts`"""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def upload(
        self, file: FileSource, name: str | None = None, *, idempotency_key: str | None = None
    ) -> AccountFont:
        """Stores a font for the account's documents. Its name defaults to the one inside the font."""
        body, content_type = form({"name": name}, file, "font.ttf")
        request = build("POST", "/v1/fonts", body=body, content_type=content_type, idempotency_key=idempotency_key)
        font: AccountFont = self._transport.json(request)
        return font

    def list(
        self, *, name: str | None = None, script: str | None = None, limit: int | None = None
    ) -> List[Font]:
        """One page of families, by name; `script` is an ISO 15924 code such as `Thai`."""
        request = build("GET", "/v1/fonts", query={"name": name, "script": script, "limit": limit})
        answer: List[Font] = self._transport.json(request)
        return answer

    def iterate(
        self, *, name: str | None = None, script: str | None = None, page_size: int | None = None
    ) -> Iterator[Font]:
        """All families, by name."""
        query = {"name": name, "script": script, "limit": page_size}
        for entry in self._transport.pages("/v1/fonts", query):
            yield entry

    def get(self, font_id: str) -> AccountFont:
        """An uploaded font."""
        font: AccountFont = self._transport.json(build("GET", f"/v1/fonts/{path_id(font_id)}"))
        return font

    def delete(self, font_id: str, *, if_match: str | None = None) -> None:
        """Deletes an uploaded font."""
        headers = {"If-Match": if_match}
        self._transport.json(build("DELETE", f"/v1/fonts/{path_id(font_id)}", headers=headers))


class Invoices:
    """`client.invoices`: electronic invoices."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def validate(self, file: FileSource) -> InvoiceReport:
        """Validates an invoice as XML or in a PDF. One that breaks rules is an answer, not an error."""
        body, content_type = form({}, file, "invoice")
        request = build("POST", "/v1/invoices/validate", body=body, content_type=content_type)
        report: InvoiceReport = self._transport.json(request)
        return report


class AccountDictionary:
    """`client.dictionary`: words that templates print in the language of a document."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self) -> Dictionary:
        """The words of the account. Raises NotFoundError if there are none."""
        dictionary: Dictionary = self._transport.json(build("GET", "/v1/dictionary"))
        return dictionary

    def put(
        self, words: Mapping[str, Mapping[str, str]], *, if_match: str | None = None
    ) -> Dictionary:
        """Replaces all words of the account: for each locale, the word of each key."""
        headers = {"If-Match": if_match}
        request = build("PUT", "/v1/dictionary", json_body={"words": words}, headers=headers)
        dictionary: Dictionary = self._transport.json(request)
        return dictionary

    def delete(self, *, if_match: str | None = None) -> None:
        """Deletes all words of the account."""
        headers = {"If-Match": if_match}
        self._transport.json(build("DELETE", "/v1/dictionary", headers=headers))

# Made from the file of the same name in _async by `npm run generate`.
"""Templates, and the documents generated from them."""

from __future__ import annotations

import json
from typing import Any, Iterator, List, Mapping, Sequence

from .._request import FileSource, build, file_name, form, path_id
from ..documents import Document, File, PathLike, Preview, as_document, as_preview
from ..errors import ConflictError, DocmillError, NotFoundError
from ..types import (
    DocumentFormat,
    Job,
    OutputOptions,
    PreviewOptions,
    PreviewOutput,
    Review,
    TemplateDetail,
    TemplateMetadata,
    TemplateSchema,
    TemplateStatistics,
    TemplateVersion,
    UploadedTemplate,
    ValidTemplate,
)
from .transport import Transport


class Templates:
    """`client.templates`"""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def upload(
        self,
        file: FileSource,
        name: str | None = None,
        *,
        delimiters: str | None = None,
        unlikely_tags: str | None = None,
        schema: str | None = None,
        invoice_map: str | None = None,
        idempotency_key: str | None = None,
    ) -> UploadedTemplate:
        """Uploads a new template, whatever its name; `name` defaults to that of the path. Raises TemplateError if the
        template has errors.

        `delimiters` are those of its tags, separated by a space, such as `{{ }}`. `schema`, a JSON text, states what
        the tags do not show about the data. `invoice_map`, a JSON text, has an expression for each business term of the
        electronic invoice.
        """
        filename = file_name(file, name)
        fields = {"name": filename, "delimiters": delimiters, "unlikelyTags": unlikely_tags, "schema": schema}
        fields["invoiceMap"] = invoice_map
        body, content_type = form(fields, file, filename)
        request = build("POST", "/v1/templates", body=body, content_type=content_type, idempotency_key=idempotency_key)
        answer: UploadedTemplate = self._transport.json(request)
        return answer

    def put(
        self,
        file: FileSource,
        name: str | None = None,
        *,
        strict_schema: bool | None = None,
        delimiters: str | None = None,
        unlikely_tags: str | None = None,
        schema: str | None = None,
        invoice_map: str | None = None,
        if_match: str | None = None,
        if_none_match: str | None = None,
    ) -> UploadedTemplate:
        """Uploads the template with this name: a new one, or a new version. A file that equals the current version adds
        none. Raises ConflictError if several templates have the name.

        Without `schema` and `invoice_map` a new version keeps those of the previous one; `{}` removes them.
        `if_none_match="*"` creates the template; raises ConflictError if one has the name.
        """
        filename = file_name(file, name)
        fields = {"name": filename, "delimiters": delimiters, "unlikelyTags": unlikely_tags, "schema": schema}
        fields["invoiceMap"] = invoice_map
        body, content_type = form(fields, file, filename)
        query, headers = {"strictSchema": strict_schema}, {"If-Match": if_match, "If-None-Match": if_none_match}
        request = build(
            "PUT", "/v1/templates", query=query, headers=headers, body=body, content_type=content_type
        )
        answer: UploadedTemplate = self._transport.json(request)
        return answer

    def validate(
        self,
        file: FileSource,
        *,
        sample_data: str | None = None,
        locale: str | None = None,
        timezone: str | None = None,
        on_missing: str | None = None,
        document_date: str | None = None,
        external_content: str | None = None,
        delimiters: str | None = None,
        unlikely_tags: str | None = None,
        schema: str | None = None,
        invoice_map: str | None = None,
        name: str | None = None,
        idempotency_key: str | None = None,
    ) -> ValidTemplate:
        """Checks a template without storing it. If `sample_data`, a JSON text, is given, fills it in as well."""
        query = {"locale": locale, "timezone": timezone, "onMissing": on_missing, "documentDate": document_date}
        query["externalContent"] = external_content
        fields = {"name": name, "delimiters": delimiters, "unlikelyTags": unlikely_tags, "sampleData": sample_data}
        fields["schema"] = schema
        fields["invoiceMap"] = invoice_map
        body, content_type = form(fields, file, name or "template.docx")
        path = "/v1/templates/validate"
        request = build(
            "POST", path, query=query, body=body, content_type=content_type, idempotency_key=idempotency_key
        )
        answer: ValidTemplate = self._transport.json(request)
        return answer

    def list(self, *, name: str | None = None, limit: int | None = None) -> List[TemplateMetadata]:
        """One page of templates, newest first: at most 1,000, by default 100. `iterate` reads all pages."""
        request = build("GET", "/v1/templates", query={"name": name, "limit": limit})
        answer: List[TemplateMetadata] = self._transport.json(request)
        return answer

    def iterate(self, *, name: str | None = None, page_size: int | None = None) -> Iterator[TemplateMetadata]:
        """All templates, newest first."""
        for entry in self._transport.pages("/v1/templates", {"name": name, "limit": page_size}):
            yield entry

    def thumbnail(
        self, template_id: str, *, version: int | None = None, to: PathLike | None = None
    ) -> File:
        """The first page of a version as a small PNG, filled with example data; by default of the current version."""
        path = f"/v1/templates/{path_id(template_id)}/thumbnail"
        return (self._transport.file(build("GET", path, query={"version": version}), to))[0]

    def statistics(self, template_ids: Sequence[str], *, days: int | None = None) -> List[TemplateStatistics]:
        """The last use and health of up to 50 templates, computed from the newest documents of each in the last
        days."""
        query = {"ids": ",".join(template_ids), "days": days}
        answer: List[TemplateStatistics] = self._transport.json(
            build("GET", "/v1/templates/statistics", query=query)
        )
        return answer

    def get(self, template_id: str) -> TemplateDetail:
        """Returns a template."""
        return (self.get_with_etag(template_id))[0]

    def get_with_etag(self, template_id: str) -> tuple[TemplateDetail, str]:
        """A template and its entity tag. Pass the tag as `if_match` to change exactly this state."""
        answer, headers = self._transport.json_and_headers(build("GET", _path(template_id)))
        return answer, headers.get("ETag", "")

    def rename(self, template_id: str, name: str, *, if_match: str | None = None) -> TemplateMetadata:
        """Renames a template."""
        headers = {"If-Match": if_match}
        request = build("PUT", _path(template_id), json_body={"name": name}, headers=headers)
        answer: TemplateMetadata = self._transport.json(request)
        return answer

    def replace(
        self,
        template_id: str,
        file: FileSource,
        name: str | None = None,
        *,
        strict_schema: bool | None = None,
        delimiters: str | None = None,
        unlikely_tags: str | None = None,
        schema: str | None = None,
        invoice_map: str | None = None,
        if_match: str | None = None,
    ) -> UploadedTemplate:
        """Uploads a new version of the template with this id. Not retried after a broken connection, because that could
        create two versions.

        Without `schema` it keeps what the previous version states; `{}` removes that.
        """
        filename = file_name(file, name)
        fields = {"name": filename, "delimiters": delimiters, "unlikelyTags": unlikely_tags, "schema": schema}
        fields["invoiceMap"] = invoice_map
        body, content_type = form(fields, file, filename)
        query, headers = {"strictSchema": strict_schema}, {"If-Match": if_match}
        path = f"{_path(template_id)}/content"
        request = build("PUT", path, query=query, headers=headers, body=body, content_type=content_type)
        answer: UploadedTemplate = self._transport.json(request)
        return answer

    def delete(self, template_id: str, *, if_match: str | None = None) -> None:
        """Deletes a template."""
        self._transport.json(build("DELETE", _path(template_id), headers={"If-Match": if_match}))

    def schema(self, template_id: str, *, version: int | None = None) -> TemplateSchema:
        """The JSON Schema of the data."""
        request = build("GET", f"{_path(template_id)}/schema", query={"version": version})
        answer: TemplateSchema = self._transport.json(request)
        return answer

    def find(self, name: str) -> TemplateMetadata:
        """The template with this name, which may lack its ending `.docx`. Raises NotFoundError if there is none, and
        ConflictError if several have it."""
        return _find(self._transport, name)

    def download(self, template_id: str, *, to: PathLike | None = None) -> File:
        """The Word file of the current version."""
        return (self._transport.file(build("GET", f"{_path(template_id)}/content"), to))[0]

    def download_version(self, template_id: str, version: int, *, to: PathLike | None = None) -> File:
        """The Word file of a version."""
        path = f"{_path(template_id)}/versions/{int(version)}/content"
        return (self._transport.file(build("GET", path), to))[0]

    def versions(self, template_id: str, *, page_size: int | None = None) -> Iterator[TemplateVersion]:
        """All versions, newest first."""
        for entry in self._transport.pages(f"{_path(template_id)}/versions", {"limit": page_size}):
            yield entry

    def promote(
        self, template_id: str, version: int, *, if_match: str | None = None, idempotency_key: str | None = None
    ) -> TemplateMetadata:
        """Makes an older version the current one."""
        path, headers = f"{_path(template_id)}/versions/{int(version)}/promote", {"If-Match": if_match}
        request = build("POST", path, headers=headers, idempotency_key=idempotency_key)
        answer: TemplateMetadata = self._transport.json(request)
        return answer

    def review(self, template_id: str, version: int) -> Review:
        """Where a version is on its way to live keys, and what was said about it."""
        path = f"{_path(template_id)}/versions/{int(version)}/review"
        answer: Review = self._transport.json(build("GET", path))
        return answer

    def submit(
        self, template_id: str, version: int, *, comment: str | None = None, if_match: str | None = None, idempotency_key: str | None = None
    ) -> Review:
        """Submits a draft for review."""
        return self._step(template_id, version, "submit", {"comment": comment}, if_match, idempotency_key)

    def comment(
        self, template_id: str, version: int, comment: str, *, if_match: str | None = None, idempotency_key: str | None = None
    ) -> Review:
        """Adds a comment to the review of a version."""
        return self._step(template_id, version, "comment", {"comment": comment}, if_match, idempotency_key)

    def approve(
        self, template_id: str, version: int, *, comment: str | None = None, if_match: str | None = None, idempotency_key: str | None = None
    ) -> Review:
        """Makes a version in review the live one. Raises PermissionError for the person who uploaded it."""
        return self._step(template_id, version, "approve", {"comment": comment}, if_match, idempotency_key)

    def refuse(
        self, template_id: str, version: int, comment: str, *, if_match: str | None = None, idempotency_key: str | None = None
    ) -> Review:
        """Refuses a version in review for good. Raises PermissionError for the person who uploaded it."""
        return self._step(template_id, version, "refuse", {"comment": comment}, if_match, idempotency_key)

    def override(
        self, template_id: str, version: int, reason: str, *, if_match: str | None = None, idempotency_key: str | None = None
    ) -> Review:
        """For emergencies: makes a draft or a version in review the live one without approval."""
        return self._step(template_id, version, "override", {"reason": reason}, if_match, idempotency_key)

    def _step(
        self,
        template_id: str,
        version: int,
        step: str,
        body: Mapping[str, Any],
        if_match: str | None,
        idempotency_key: str | None,
    ) -> Review:
        path, headers = f"{_path(template_id)}/versions/{int(version)}/{step}", {"If-Match": if_match}
        request = build("POST", path, headers=headers, json_body=body, idempotency_key=idempotency_key)
        answer: Review = self._transport.json(request)
        return answer

    def generate(
        self,
        template: str,
        data: Mapping[str, Any],
        *,
        format: DocumentFormat | None = None,
        output: OutputOptions | None = None,
        version: int | None = None,
        callback_url: str | None = None,
        to: PathLike | None = None,
        idempotency_key: str | None = None,
    ) -> Document:
        """Generates a document of the template with this id or name, and waits for it; `to` writes it to a path instead
        of memory.

        The document is charged once, however often the request is sent. Pass your own `idempotency_key`, such as an
        order number, if your process may crash and repeat the call.

        Raises DataError, QuotaError, and ServiceError with the status 504 if the document is not ready after all attempts.
        """
        body = {"data": data, "output": _output(output, format), "callbackUrl": callback_url}
        path, query = f"{_path(find_id(self._transport, template))}/generate", {"version": version}
        request = build("POST", path, query=query, json_body=body, idempotency_key=idempotency_key)
        document = as_document(*self._transport.file(request, to))
        if document.warning_count > 0 and document.id:
            try:
                job: Job = self._transport.json(build("GET", f"/v1/jobs/{path_id(document.id)}"))
                document.warnings = job.get("warnings", [])
            except DocmillError:
                # The document is charged and complete. A key without the scope for jobs still gets the count.
                pass
        return document

    def preview(
        self,
        template: str,
        data: Mapping[str, Any],
        *,
        version: int | None = None,
        output: PreviewOutput | None = None,
        options: PreviewOptions | None = None,
        to: PathLike | None = None,
    ) -> Preview:
        """The first pages of the template with this id or name, as a PDF with a watermark, or with `options={"format": "png"}` one page as a picture.

        Nothing is charged or stored. Raises the same errors as generate.
        """
        template_id = path_id(find_id(self._transport, template))
        body = {"templateId": template_id, "version": version, "data": data, "output": output, "preview": options}
        request = build("POST", "/v1/templates/preview", json_body=body, changes_nothing=True)
        return as_preview(*self._transport.file(request, to))

    def preview_file(
        self,
        file: FileSource,
        data: Mapping[str, Any],
        *,
        output: PreviewOutput | None = None,
        options: PreviewOptions | None = None,
        delimiters: str | None = None,
        unlikely_tags: str | None = None,
        to: PathLike | None = None,
    ) -> Preview:
        """Like `preview`, but for a template file that is not stored. Raises TemplateError if the template has
        errors."""
        details = json.dumps({"data": data, "output": output, "preview": options}, ensure_ascii=False, allow_nan=False)
        fields = {"delimiters": delimiters, "unlikelyTags": unlikely_tags, "request": details}
        body, content_type = form(fields, file, "template.docx")
        path = "/v1/templates/preview"
        request = build("POST", path, body=body, content_type=content_type, changes_nothing=True)
        return as_preview(*self._transport.file(request, to))

    def start(
        self,
        template: str,
        data: Mapping[str, Any],
        *,
        format: DocumentFormat | None = None,
        output: OutputOptions | None = None,
        version: int | None = None,
        callback_url: str | None = None,
        idempotency_key: str | None = None,
    ) -> Job:
        """Starts a document of the template with this id or name, without waiting for it: see `client.jobs.wait` and `client.jobs.download`."""
        body = {"data": data, "output": _output(output, format), "callbackUrl": callback_url}
        path, query = f"{_path(find_id(self._transport, template))}/jobs", {"version": version}
        request = build("POST", path, query=query, json_body=body, idempotency_key=idempotency_key)
        answer: Job = self._transport.json(request)
        return answer


def find_id(transport: Transport, template: str) -> str:
    """The id of the template that a caller names by its id or by its name. A name is looked up in every call."""
    # Names of templates end with .docx, and ids do not.
    if template.startswith("tpl_") and not template.lower().endswith(".docx"):
        return template
    return (_find(transport, template))["id"]


def _find(transport: Transport, named: str) -> TemplateMetadata:
    name = named if named.lower().endswith(".docx") else f"{named}.docx"
    # The service lists all templates whose name contains this text.
    listed = transport.pages("/v1/templates", {"name": name, "limit": None})
    found: List[TemplateMetadata] = [one for one in listed if one["name"] == name]
    if not found:
        raise NotFoundError(f"There is no template with the name {name}", status=404, code="not_found")
    if len(found) > 1:
        raise ConflictError(f"Several templates have the name {name}: use an id", status=409, code="conflict")
    return found[0]


def _path(template_id: str) -> str:
    return f"/v1/templates/{path_id(template_id)}"


def _output(output: OutputOptions | None, format: DocumentFormat | None) -> OutputOptions:
    options: OutputOptions = {} if output is None else output.copy()
    if format is not None:
        options["format"] = format
    return options

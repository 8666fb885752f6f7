"""Errors, hostile responses, and secrets that must not be shown."""

from __future__ import annotations

import json
import logging
import pickle
import traceback

import pytest

import docmill
from conftest import Connect
from docmill import AsyncDocmill, Docmill
from hostile_server import answer, drop, serve

KEY = "dm_live_secret4711"
TEMPLATE = "tpl_01hx5s3k2v9m8q7r6t5w4y3z2a"


def problem(status: int, code: str, *details: object) -> bytes:
    return json.dumps({"error": {"status": status, "message": "It is wrong", "details": details}}).encode()


def test_a_mistake_in_a_template_names_its_place(connect: Connect) -> None:
    detail = {"type": "Message", "message": "m", "tag": "{#a}", "part": "word/document.xml", "context": "c", "hint": "h"}
    reply = answer(400, problem(400, "", detail), Error_Code="template_invalid", X_Request_Id="req-1")
    with serve(reply) as server:
        with pytest.raises(docmill.TemplateError) as caught:
            connect(KEY, server.url).templates.upload(b"PK", "a.docx")
    error = caught.value
    assert (error.tag, error.part, error.context, error.hint) == ("{#a}", "word/document.xml", "c", "h")
    assert (error.status, error.code, error.request_id, error.details) == (400, "template_invalid", "req-1", [detail])
    assert str(error) == "It is wrong (status 400, request req-1)"


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "data_invalid", docmill.DataError),
        (400, "render_limit", docmill.TemplateError),
        (400, "invalid_request", docmill.InvalidRequestError),
        (401, "unauthorized", docmill.AuthenticationError),
        (402, "quota_exceeded", docmill.QuotaError),
        (403, "insufficient_scope", docmill.PermissionError),
        (404, "not_found", docmill.NotFoundError),
        (409, "conflict", docmill.ConflictError),
        (412, "precondition_failed", docmill.ConflictError),
        (418, "teapot", docmill.InvalidRequestError),
        (500, "internal", docmill.ServiceError),
    ],
)
def test_each_status_has_its_error(connect: Connect, status: int, code: str, kind: type[Exception]) -> None:
    with serve(answer(status, problem(status, code), Error_Code=code)) as server:
        with pytest.raises(docmill.DocmillError) as caught:
            connect(KEY, server.url).templates.get(TEMPLATE)
    assert type(caught.value) is kind


def test_a_wait_that_ended_names_the_job(connect: Connect) -> None:
    detail = {"type": "Message", "message": "m", "jobId": "doc_9"}
    with serve(answer(504, problem(504, "wait_timeout", detail), Error_Code="wait_timeout", Document_Id="doc_9")) as server:
        with pytest.raises(docmill.ServiceError) as caught:
            connect(KEY, server.url).templates.generate(TEMPLATE, {})
    assert caught.value.document_id == "doc_9"


@pytest.mark.parametrize(
    "body",
    [b"<html>bad gateway</html>", b"", b"[]", b"null", b'{"error": "text"}', b'{"error": {"details": 7}}', b"\xff", b"[" * 99999],
)
def test_an_error_that_is_not_of_the_service_is_an_error(connect: Connect, body: bytes) -> None:
    with serve(answer(500, body)) as server:
        with pytest.raises(docmill.ServiceError) as caught:
            connect(KEY, server.url).templates.get(TEMPLATE)
    assert caught.value.details == []


def test_a_page_instead_of_json_is_reported(connect: Connect) -> None:
    with serve(answer(200, b"<html>")) as server:
        with pytest.raises(docmill.UnexpectedResponseError):
            connect(KEY, server.url).templates.get(TEMPLATE)


def test_the_key_follows_no_redirect_and_no_link(connect: Connect) -> None:
    with serve(answer(200, b"[]")) as other:
        with serve(answer(307, Location=f"{other.url}/v1/templates")) as server:
            with pytest.raises(docmill.UnexpectedResponseError):
                connect(KEY, server.url).templates.list()
        link = f'<{other.url}/v1/templates?cursor=abc>; rel="next"'
        with serve(answer(200, b'[{"id": "1"}]', Link=link), answer(200, b'[{"id": "2"}]')) as server:
            found = [template["id"] for template in connect(KEY, server.url).templates.iterate()]
    assert found == ["1", "2"]
    assert server.requests[1].target == "/v1/templates?cursor=abc"
    assert other.requests == []


def test_a_list_that_links_to_itself_ends(connect: Connect) -> None:
    with serve(answer(200, b"[1]", Link='</v1/jobs?cursor=a>; rel="next"')) as server:
        assert list(connect(KEY, server.url).jobs.iterate()) == [1, 1]


@pytest.mark.parametrize("name", ["../../../etc/cron.d/x", "a/../b.pdf", "..", "\\\\host\\share\\b.pdf"])
def test_a_name_selects_no_folder(connect: Connect, name: str) -> None:
    with serve(answer(200, b"x", Content_Disposition=f'attachment; filename="{name}"')) as server:
        filename = connect(KEY, server.url).jobs.download("doc_1").filename
    assert filename is None or not set(filename) & set("/\\")
    assert filename != ".."


@pytest.mark.parametrize("bad", ["", "a/b", "../jobs", "a?b", "a#b", "a b", "é", "a\n"])
def test_an_id_that_is_another_address_is_refused(connect: Connect, bad: str) -> None:
    client = connect(KEY, "http://127.0.0.1:9")
    with pytest.raises(ValueError):
        client.templates.get(bad)
    with pytest.raises(ValueError):
        client.jobs.cancel(bad)


@pytest.mark.parametrize("bad", ["", "ftp://host", "host", "https://user:password@host", "https://host/?a=1", "https://"])
def test_an_address_that_is_none_is_refused(bad: str) -> None:
    with pytest.raises(ValueError) as caught:
        Docmill(KEY, bad)
    assert "password" not in str(caught.value)


@pytest.mark.parametrize("bad", ["", "a\nb", "a b", "é"])
def test_a_key_that_is_none_is_refused_and_not_shown(bad: str) -> None:
    with pytest.raises(ValueError) as caught:
        Docmill(bad, "https://host")
    assert not bad or bad not in str(caught.value)


def test_nothing_shows_the_key(connect: Connect, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with serve(drop) as server:
        client = connect(KEY, server.url)
        with pytest.raises(docmill.ConnectionError) as caught:
            client.templates.generate(TEMPLATE, {"iban": "DE99"})
    error = caught.value
    shown = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
    for text in (shown, repr(client), repr(vars(error)), caplog.text):
        assert KEY not in text
    assert error.__cause__ is None and error.__context__ is None
    assert repr(Docmill(KEY, "https://host/")) == "Docmill(base_url='https://host')"
    assert repr(AsyncDocmill(KEY, "https://host/")) == "AsyncDocmill(base_url='https://host')"


def test_progress_that_cannot_be_read_is_an_error_of_the_client(connect: Connect) -> None:
    with serve(drop, answer(404, problem(404, "not_found"))) as server:
        client = connect(KEY, server.url)
        with pytest.raises(docmill.ConnectionError) as caught:
            list(client.batches.events("bat_1"))
        with pytest.raises(docmill.NotFoundError):
            list(client.batches.events("bat_1"))
    assert caught.value.__context__ is None


def test_an_error_survives_a_queue_of_tasks(connect: Connect) -> None:
    with serve(answer(402, problem(402, "quota_exceeded"), Error_Code="quota_exceeded")) as server:
        with pytest.raises(docmill.QuotaError) as caught:
            connect(KEY, server.url).templates.generate(TEMPLATE, {})
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is docmill.QuotaError
    assert (copy.status, copy.code, str(copy)) == (402, "quota_exceeded", str(caught.value))

"""Which requests the client retries."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

import docmill
from conftest import Connect
from docmill import RetryPolicy
from hostile_server import Reply, answer, drop, half, serve

KEY = "dm_live_secret4711"
TEMPLATE = "tpl_01hx5s3k2v9m8q7r6t5w4y3z2a"
PDF = b"%PDF-1.7" + b"x" * 200_000
GOOD = answer(200, PDF, Content_Type="application/pdf", Document_Id="doc_1", Server_Timing="queue;dur=1.5, total;dur=20")


def failure(status: int, **headers: str) -> Reply:
    body = json.dumps({"error": {"status": status, "message": "not now"}}).encode()
    return answer(status, body, **headers)


@pytest.mark.parametrize(
    "first",
    [
        drop,
        failure(503, Retry_After="0"),
        failure(429, Retry_After="0"),
        failure(504),
        failure(502),
        half(200, PDF, 100, Content_Type="application/pdf"),
        half(503, b"x" * 100, 10),
    ],
    ids=["dropped", "503", "429", "504", "502", "half a document", "half an error"],
)
def test_a_document_is_asked_for_again_with_the_same_key_and_bytes(connect: Connect, first: Reply) -> None:
    with serve(first, first, GOOD) as server:
        document = connect(KEY, server.url).templates.generate(TEMPLATE, {"name": "Ada"}, format="pdf")
    assert document.content == PDF
    assert document.id == "doc_1"
    assert document.timings == {"queue": 1.5, "total": 20}
    assert len(server.requests) == 3
    assert len({request.headers["idempotency-key"] for request in server.requests}) == 1
    assert len({request.body for request in server.requests}) == 1


def test_two_calls_have_two_keys(connect: Connect) -> None:
    with serve(GOOD) as server:
        client = connect(KEY, server.url)
        for _ in range(2):
            client.templates.generate(TEMPLATE, {})
    assert len({request.headers["idempotency-key"] for request in server.requests}) == 2


def test_a_key_of_the_caller_is_kept(connect: Connect) -> None:
    with serve(drop, GOOD) as server:
        connect(KEY, server.url).templates.generate(TEMPLATE, {}, idempotency_key="order 7")
    assert [request.headers["idempotency-key"] for request in server.requests] == ["order 7"] * 2


def test_a_preview_needs_no_key_to_be_asked_for_again(connect: Connect) -> None:
    with serve(drop, failure(503, Retry_After="0"), answer(200, PDF, Page_Count="9", Warning_Codes="a, b")) as server:
        preview = connect(KEY, server.url).templates.preview_file(b"PK", {"name": "Ada"})
    assert (preview.page_count, preview.warning_codes) == (9, ["a", "b"])
    assert len({request.body for request in server.requests}) == 1 and len(server.requests) == 3
    assert all("idempotency-key" not in request.headers for request in server.requests)


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 409, 412, 500])
def test_an_answer_that_stays_the_same_is_not_asked_for_again(connect: Connect, status: int) -> None:
    with serve(failure(status)) as server:
        with pytest.raises(docmill.DocmillError) as caught:
            connect(KEY, server.url).templates.generate(TEMPLATE, {})
    assert caught.value.status == status
    assert len(server.requests) == 1


def test_retry_after_is_waited_for(connect: Connect) -> None:
    with serve(failure(429, Retry_After="1"), GOOD) as server:
        begin = time.monotonic()
        connect(KEY, server.url).templates.generate(TEMPLATE, {})
    assert 1 <= time.monotonic() - begin < 5


def test_a_long_retry_after_ends_the_attempts(connect: Connect) -> None:
    with serve(failure(429, Retry_After="3600")) as server:
        with pytest.raises(docmill.RateLimitError) as caught:
            connect(KEY, server.url).templates.generate(TEMPLATE, {})
    assert caught.value.retry_after == 3600
    assert len(server.requests) == 1


@pytest.mark.parametrize("reply", [drop, failure(503), half(200, PDF, 5)], ids=["dropped", "503", "half"])
def test_attempts_are_bounded(connect: Connect, reply: Reply) -> None:
    policy = RetryPolicy(retries=2, first_pause=0.01)
    with serve(reply) as server:
        with pytest.raises((docmill.ConnectionError, docmill.ServiceError)):
            connect(KEY, server.url, retry=policy).templates.generate(TEMPLATE, {})
    assert len(server.requests) == 3


@pytest.mark.parametrize("reply", [drop, failure(503), failure(504), half(200, b"{}", 1)])
def test_a_change_without_a_key_is_sent_once(connect: Connect, reply: Reply) -> None:
    with serve(reply) as server:
        client = connect(KEY, server.url)
        with pytest.raises(docmill.DocmillError):
            client.templates.replace(TEMPLATE, b"PK", "a.docx")
        with pytest.raises(docmill.DocmillError):
            client.templates.delete(TEMPLATE)
    assert [request.method for request in server.requests] == ["PUT", "DELETE"]


def test_a_change_without_a_key_is_sent_again_after_429(connect: Connect) -> None:
    with serve(failure(429, Retry_After="0"), answer(204)) as server:
        connect(KEY, server.url).templates.delete(TEMPLATE)
    assert len(server.requests) == 2


def test_a_form_has_the_same_bytes_each_time(connect: Connect) -> None:
    with serve(drop, answer(201, b'{"id": "tpl_1"}')) as server:
        connect(KEY, server.url).templates.upload(b"PK\x03\x04", "a.docx")
    first, second = server.requests
    assert first.body == second.body
    assert first.headers["content-type"] == second.headers["content-type"]


def test_rows_that_can_be_read_once_are_sent_twice(connect: Connect) -> None:
    with serve(drop, answer(202, b'{"id": "bat_1", "status": "accepted", "counts": {}}')) as server:
        rows = ({"name": f"row {number}"} for number in range(3))
        run = connect(KEY, server.url).batches.create(TEMPLATE, rows, format="pdf")
    assert run.id == "bat_1"
    first, second = server.requests
    assert first.body == second.body
    expected = [{"data": {"name": f"row {number}"}} for number in range(3)]
    assert json.loads(first.body) == {"output": {"format": "pdf"}, "items": expected}
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"]


def test_a_file_of_rows_is_sent_twice(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_bytes(b"name\n" + b"Ada\n" * 200_000)
    with serve(drop, answer(202, b'{"id": "bat_1", "status": "accepted", "counts": {}}')) as server:
        client = connect(KEY, server.url)
        client.batches.create(
            TEMPLATE, tmp_path / "rows.csv", format="pdf", bundle="none", column_formats={"name": "text"}
        )
        with open(tmp_path / "rows.csv", "rb") as rows:
            client.batches.create(TEMPLATE, rows)
    content = (tmp_path / "rows.csv").read_bytes()
    assert [request.body for request in server.requests] == [content] * 3
    assert server.requests[0].headers["content-type"] == "text/csv"
    target = server.requests[0].target
    assert "format=pdf" in target and "bundle=none" in target and "columnFormats=name%3Atext" in target


def test_rows_that_cannot_be_sent_are_refused_before(connect: Connect) -> None:
    with serve(answer(202)) as server:
        client = connect(KEY, server.url)
        with pytest.raises(ValueError, match="column_formats: is only for a .csv file"):
            client.batches.create(TEMPLATE, [{}], column_formats={"name": "text"})
        with pytest.raises(ValueError, match="row 2"):
            client.batches.create(TEMPLATE, [{}, {"number": float("nan")}])
        with pytest.raises(TypeError, match="row 1"):
            client.batches.create(TEMPLATE, [["not", "a", "mapping"]])
    assert server.requests == []


def test_a_download_continues_where_it_broke_off(connect: Connect, tmp_path: Path) -> None:
    sent = 100_000
    rest = answer(206, PDF[sent:], ETag='"1"', Content_Range=f"bytes {sent}-{len(PDF) - 1}/{len(PDF)}")
    with serve(half(200, PDF, sent, ETag='"1"'), rest) as server:
        file = connect(KEY, server.url).jobs.download("doc_1", to=tmp_path / "a.pdf")
    assert (tmp_path / "a.pdf").read_bytes() == PDF
    assert file.size == len(PDF)
    assert server.requests[1].headers["range"] == f"bytes={sent}-"
    assert server.requests[1].headers["if-range"] == '"1"'


def test_a_download_of_a_file_that_changed_begins_again(connect: Connect) -> None:
    with serve(half(200, PDF, 100_000, ETag='"1"'), answer(200, b"another", ETag='"2"')) as server:
        assert connect(KEY, server.url).jobs.download("doc_1").content == b"another"
    assert len(server.requests) == 2


def test_a_part_that_was_not_asked_for_is_not_a_file(connect: Connect) -> None:
    part = answer(206, PDF[7:], ETag='"1"', Content_Range=f"bytes 7-{len(PDF) - 1}/{len(PDF)}")
    with serve(part, half(200, PDF, 100, ETag='"1"'), part, answer(200, PDF)) as server:
        assert connect(KEY, server.url).jobs.download("doc_1").content == PDF
    assert [request.headers.get("range") for request in server.requests] == [None, None, "bytes=100-", None]


def test_a_file_appears_whole_or_not_at_all(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"before")
    with serve(half(200, PDF, 1000)) as server:
        with pytest.raises(docmill.ConnectionError):
            connect(KEY, server.url).templates.generate(TEMPLATE, {}, to=tmp_path / "a.pdf")
    assert [path.name for path in tmp_path.iterdir()] == ["a.pdf"]
    assert (tmp_path / "a.pdf").read_bytes() == b"before"
    assert len(server.requests) == 5


def test_a_server_that_says_nothing_is_left(connect: Connect) -> None:
    with serve(lambda _, connection: time.sleep(3)) as server:
        policy = RetryPolicy(retries=1, first_pause=0)
        with pytest.raises(docmill.ConnectionError, match="ReadTimeout"):
            connect(KEY, server.url, timeout=0.3, retry=policy).templates.generate(TEMPLATE, {})
    assert len(server.requests) == 2


def test_nobody_listens(connect: Connect) -> None:
    with serve(drop) as server:
        url = server.url
    with pytest.raises(docmill.ConnectionError):
        connect(KEY, url).templates.delete(TEMPLATE)

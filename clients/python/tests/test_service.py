"""The whole API of the client against a running service."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import re
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, AsyncIterator, Iterator

import httpx
import pytest

import docmill
from conftest import EXAMPLES, Connect, Stack, charged, data_of
from docmill import AsyncDocmill, Docmill, DocmillAdmin, verify_webhook

LETTER = EXAMPLES / "letter.docx"
ROWS = [{"participant": {"name": name}, "modules": [{"title": "Oils", "hours": 12}]} for name in ("Ada", "Grace", "Joan")]


@pytest.fixture
def client(connect: Connect, stack: Stack) -> Any:
    return connect(stack.new_key(), stack.url)


def test_a_template_from_upload_to_deletion(client: Any, tmp_path: Path) -> None:
    uploaded = client.templates.upload(LETTER)
    assert uploaded["name"] == "letter.docx" and uploaded["version"] == 1
    assert client.templates.upload(LETTER.read_bytes(), "other.docx")["name"] == "other.docx"
    assert client.templates.validate(LETTER)["valid"]
    assert "recipient" in str(client.templates.schema(uploaded["id"]))
    _, etag = client.templates.get_with_etag(uploaded["id"])
    assert client.templates.rename(uploaded["id"], "renamed.docx", if_match=etag)["name"] == "renamed.docx"
    with pytest.raises(docmill.ConflictError):
        client.templates.rename(uploaded["id"], "again.docx", if_match=etag)
    assert client.templates.replace(uploaded["id"], EXAMPLES / "report.docx", "report.docx")["version"] == 2
    assert [one["version"] for one in client.templates.versions(uploaded["id"], page_size=1)] == [2, 1]
    assert client.templates.promote(uploaded["id"], 1)["version"] == 1
    assert client.templates.download_version(uploaded["id"], 1).content == LETTER.read_bytes()
    file = client.templates.download(uploaded["id"], to=tmp_path / "copy.docx")
    assert file.content == LETTER.read_bytes() and file.filename
    assert len(client.templates.list(limit=1)) == 1
    assert len(list(client.templates.iterate(page_size=1))) == 2
    assert client.templates.find("other.docx")["name"] == "other.docx"
    with pytest.raises(docmill.NotFoundError):
        client.templates.find("another")
    assert client.templates.find("other")["name"] == "other.docx"
    assert client.templates.delete(uploaded["id"]) is None
    with pytest.raises(docmill.NotFoundError):
        client.templates.get(uploaded["id"])


def test_a_template_is_uploaded_by_its_name(client: Any) -> None:
    first = client.templates.put(LETTER)
    assert first["name"] == "letter.docx" and first["version"] == 1
    assert client.templates.put(LETTER)["version"] == 1
    _, etag = client.templates.get_with_etag(first["id"])
    report = (EXAMPLES / "report.docx").read_bytes()
    with pytest.raises(docmill.ConflictError):
        client.templates.put(report, "letter.docx", if_none_match="*")
    with pytest.raises(docmill.TemplateError):
        client.templates.put(report, "letter.docx", strict_schema=True)
    replaced = client.templates.put(report, "letter.docx", if_match=etag)
    assert (replaced["id"], replaced["version"]) == (first["id"], 2)
    client.templates.upload(LETTER)
    with pytest.raises(docmill.ConflictError, match=first["id"]):
        client.templates.put(LETTER)


def test_a_template_is_used_by_its_name(client: Any) -> None:
    template = client.templates.put(LETTER)
    data = data_of("letter")
    for named in ("letter.docx", "letter"):
        document = client.templates.generate(named, data)
        assert client.jobs.get(document.id)["templateId"] == template["id"]
        assert client.templates.start(named, data)["templateId"] == template["id"]
        assert client.templates.preview(named, data).page_count >= 1
        assert client.batches.quote(named, [data])["cost"] == 1
    assert client.batches.create("letter", [data]).wait(timeout_seconds=100)["counts"]["succeeded"] == 1
    with pytest.raises(docmill.NotFoundError, match="no template with the name lette.docx"):
        client.templates.generate("lette", data)
    client.templates.upload(LETTER)
    with pytest.raises(docmill.ConflictError, match="Several templates have the name letter.docx"):
        client.templates.generate("letter", data)
    assert charged(client) == 5


def test_a_document_in_memory_at_a_path_and_later(client: Any, tmp_path: Path) -> None:
    template = client.templates.upload(LETTER)["id"]
    data = data_of("letter")
    document = client.templates.generate(template, data, format="pdf", output={"filename": "a.pdf"})
    assert document.content.startswith(b"%PDF-") and document.filename == "a.pdf"
    assert document.timings["total"] > 0 and document.warnings == [] and document.email_delivery_id is None
    assert document.content_type == "application/pdf" and document.size == len(document.content)
    written = client.templates.generate(template, data, format="pdf", to=tmp_path / "a.pdf")
    assert (tmp_path / "a.pdf").read_bytes() == document.content == written.content
    job = client.templates.start(template, data)
    assert client.jobs.wait(job["id"], timeout_seconds=60)["status"] == "succeeded"
    docx = client.jobs.download(job["id"])
    assert zipfile.is_zipfile(io.BytesIO(docx.content))
    assert client.jobs.request(job["id"])["templateVersion"] == job["templateVersion"]
    receipt = client.jobs.receipt(job["id"])
    assert receipt["receipt"]["result"]["sha256"] == hashlib.sha256(docx.content).hexdigest()
    assert len(client.jobs.list(limit=2)) == 2
    assert len(list(client.jobs.iterate(page_size=2, template_id=template))) == 3
    with pytest.raises(docmill.ConflictError):
        client.jobs.cancel(job["id"])
    assert charged(client) == 3
    assert client.account.usage(group_by="template")["totals"]["documents"] == 3
    assert client.account.key() == next(iter(client.account.keys()))
    assert [key["kind"] for key in client.account.keys(page_size=1)] == ["live"]


def test_a_preview_is_free(client: Any, tmp_path: Path) -> None:
    template = client.templates.upload(LETTER)["id"]
    data = data_of("letter")
    preview = client.templates.preview(template, data, options={"pages": 1})
    assert preview.content.startswith(b"%PDF-") and preview.page_count >= 1 and preview.timings["total"] > 0
    picture = client.templates.preview_file(LETTER, data, options={"format": "png", "dpi": 40}, to=tmp_path / "a.png")
    assert picture.content.startswith(b"\x89PNG") and picture.content_type == "image/png"
    with pytest.raises(docmill.InvalidRequestError):
        client.templates.preview(template, data, options={"format": "png", "page": 999})
    assert charged(client) == 0 and client.jobs.list() == []


def test_warnings_of_a_document_are_read(client: Any) -> None:
    template = client.templates.upload(LETTER)["id"]
    data = {**data_of("letter"), "subject": "\U000f0000"}
    document = client.templates.generate(template, data, format="pdf")
    assert document.warning_count == len(document.warnings) > 0
    assert document.warnings[0]["code"] == "missing_glyph"


def test_errors_say_what_is_wrong(connect: Connect, client: Any, stack: Stack, tmp_path: Path) -> None:
    template = client.templates.upload(LETTER)["id"]
    with pytest.raises(docmill.DataError) as caught:
        client.templates.generate(template, {}, output={"onMissing": "error"})
    assert "data.recipient.name" in caught.value.paths and caught.value.request_id and caught.value.document_id
    with zipfile.ZipFile(LETTER) as source, zipfile.ZipFile(tmp_path / "broken.docx", "w") as target:
        for name in source.namelist():
            content = source.read(name)
            target.writestr(name, content.replace(b"</w:body>", b"<w:p><w:r><w:t>{#open}</w:t></w:r></w:p></w:body>"))
    with pytest.raises(docmill.TemplateError) as mistake:
        client.templates.upload(tmp_path / "broken.docx")
    assert mistake.value.tag and mistake.value.part
    with pytest.raises(docmill.AuthenticationError):
        connect("wrong", stack.url).account.quotas()
    with pytest.raises(docmill.QuotaError):
        poor = connect(stack.new_key(docs=0), stack.url)
        poor.templates.generate(poor.templates.upload(LETTER)["id"], {})


def test_a_batch_from_rows(client: Any, tmp_path: Path) -> None:
    template = client.templates.upload(EXAMPLES / "certificate.docx")["id"]
    output: Any = {"format": "pdf", "filename": "for-{participant.name}"}
    assert client.batches.quote(template, ROWS, output=output)["cost"] == 3
    run = client.batches.create(template, (row for row in ROWS), output=output)
    seen: list[str] = []
    state = run.wait(on_progress=lambda batch: seen.append(batch["status"]), timeout_seconds=100)
    assert state["status"] == "completed" == seen[-1] and state["counts"]["succeeded"] == 3
    documents = list(run.documents())
    assert [one.filename for one in documents] == ["for-Ada.pdf", "for-Grace.pdf", "for-Joan.pdf"]
    assert documents[0].download(tmp_path / documents[0].filename).content.startswith(b"%PDF-")
    assert zipfile.ZipFile(io.BytesIO(run.download().content)).namelist()[0] == "for-Ada.pdf"
    assert [file.path.name for file in run.download_all(tmp_path / "out") if file.path] == [state["files"][0]["name"]]
    assert [row["status"] for row in run.manifest()] == ["succeeded"] * 3
    assert run.manifest_csv().startswith("row,file,status")
    assert [row["row"] for row in run.rows(page_size=2)] == [1, 2, 3]
    assert client.batches.get(run.id).state["status"] == "completed"
    assert len(client.batches.list()) == 1 == len(list(client.batches.iterate()))
    assert [event["status"] for event in client.batches.events(run.id)][-1] == "completed"
    with pytest.raises(docmill.ConflictError):
        run.retry()
    with pytest.raises(docmill.ConflictError):
        run.cancel()
    assert charged(client) == 3


def test_a_batch_from_files(client: Any, tmp_path: Path) -> None:
    template = client.templates.upload(EXAMPLES / "certificate.docx")["id"]
    (tmp_path / "rows.csv").write_text("participant.name\nAda\nGrace\n", encoding="utf-8")
    lines = b'{"participant": {"name": "Ada"}}\n'
    runs = [
        client.batches.create(template, tmp_path / "rows.csv", bundle="none"),
        client.batches.create(template, lines, content_type="application/x-ndjson"),
        client.batches.create(template, io.BytesIO(lines), content_type="application/x-ndjson"),
        client.batches.create(template, [{"data": ROWS[0], "output": {"filename": "b"}}], rows_are_items=True),
    ]
    assert [run.wait()["counts"]["succeeded"] for run in runs] == [2, 1, 1, 1]
    with pytest.raises(docmill.InvalidRequestError):
        client.batches.create(template, b"{", content_type="application/x-ndjson")
    with pytest.raises(ValueError, match="output.pdf"):
        client.batches.create(template, lines, content_type="application/x-ndjson", output={"pdf": {"watermark": "x"}})
    assert charged(client) == 5


def test_the_rows_of_a_file_become_invoices(client: Any) -> None:
    folder = EXAMPLES / "e-invoices"
    mapping = (folder / "de.map.json").read_text(encoding="utf-8")
    template = client.templates.upload(folder / "de.docx", invoice_map=mapping)["id"]
    rows = json.dumps(json.loads((folder / "de.json").read_text(encoding="utf-8"))).encode()
    output = {"format": "xml", "xml": {"profile": "xrechnung"}}
    run = client.batches.create(template, rows, content_type="application/x-ndjson", output=output, bundle="none")
    assert run.wait()["counts"]["succeeded"] == 1


def test_rows_can_be_an_async_iterable(stack: Stack) -> None:
    async def rows() -> AsyncIterator[Any]:
        for row in ROWS:
            await asyncio.sleep(0)
            yield row

    async def run() -> str:
        async with AsyncDocmill(stack.new_key(), stack.url) as client:
            template = (await client.templates.upload(EXAMPLES / "certificate.docx"))["id"]
            batch = await client.batches.create(template, rows(), bundle="none")
            state = await batch.wait()
            return f"{state['status']} {state['rows']}"

    assert asyncio.run(run()) == "completed 3"


def test_an_email_and_its_delivery(client: Any) -> None:
    template = client.templates.upload(LETTER)["id"]
    document = client.templates.generate(template, {}, output={"email": {"to": ["ada@example.com"]}})
    delivery = client.deliveries.get(document.email_delivery_id)
    assert delivery["documentId"] == document.id
    deadline = time.monotonic() + 60
    assert [sent["id"] for sent in client.deliveries.iterate(page_size=1)] == [delivery["id"]]
    while client.deliveries.get(delivery["id"])["status"] in ("pending", "sending") and time.monotonic() < deadline:
        time.sleep(0.1)
    with pytest.raises(docmill.ConflictError):
        client.deliveries.resend(delivery["id"])


@pytest.fixture
def receiver() -> Iterator[tuple[str, list[tuple[bytes, dict[str, str]]]]]:
    received: list[tuple[bytes, dict[str, str]]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append((self.rfile.read(int(self.headers["Content-Length"])), dict(self.headers.items())))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/", received
    server.shutdown()
    server.server_close()


def verify(request: tuple[bytes, dict[str, str]], secret: str) -> docmill.WebhookEvent:
    return verify_webhook(request[0], request[1], secret)


def test_webhooks_that_the_service_signs_are_verified(client: Any, receiver: Any) -> None:
    url, received = receiver
    webhook = client.webhooks.create(url, ["document.succeeded"], description="first")
    delivery = client.webhooks.test(webhook["id"])
    assert delivery["eventType"] == "webhook.test"
    event = verify(received[0], webhook["secret"])
    assert event["type"] == "webhook.test"
    rotated = client.webhooks.rotate_secret(webhook["id"])["secret"]
    client.webhooks.test(webhook["id"])
    assert verify(received[1], webhook["secret"]) and verify(received[1], rotated)
    with pytest.raises(docmill.WebhookVerificationError):
        verify(received[0], rotated)
    assert client.webhooks.update(webhook["id"], description="second")["description"] == "second"
    assert [one["id"] for one in client.webhooks.list()] == [webhook["id"]]
    assert len(list(client.webhooks.deliveries(webhook["id"]))) == 2
    assert client.webhooks.delivery(webhook["id"], delivery["id"])["status"] == "delivered"
    assert client.webhooks.redeliver(webhook["id"], delivery["id"])["id"] == delivery["id"]
    _, etag = client.webhooks.get_with_etag(webhook["id"])
    assert etag
    client.webhooks.delete(webhook["id"])
    assert client.webhooks.get("callbacks")["secret"]


def test_pictures_and_fonts(client: Any) -> None:
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="9" height="9"/></svg>'
    asset = client.assets.upload(svg, "logo.svg")
    assert client.assets.get(asset["id"])["width"] == 10
    assert client.assets.download(asset["id"]).size > 0
    assert len(client.assets.list()) == 1 == len(list(client.assets.iterate()))
    client.assets.delete(asset["id"])
    file = next(Path("/usr/share/fonts").rglob("Carlito-Regular.ttf"))
    font = client.fonts.upload(file, "Carlito of the account")
    assert client.fonts.get(font["id"])["name"] == "Carlito of the account"
    assert [one["name"] for one in client.fonts.list(name="Carlito") if one["scope"] == "account"] == ["Carlito"]
    assert len(list(client.fonts.iterate(page_size=2))) >= 2
    client.fonts.delete(font["id"])


def test_words_of_the_account(client: Any) -> None:
    stored = client.dictionary.put({"de": {"total": "Summe"}})
    assert client.dictionary.get() == stored
    with pytest.raises(docmill.ConflictError):
        client.dictionary.delete(if_match=f'"{"0" * 64}"')
    client.dictionary.delete(if_match=f'"{stored["checksum"]}"')
    with pytest.raises(docmill.NotFoundError):
        client.dictionary.get()


def test_every_operation_of_the_service_has_a_method(stack: Stack) -> None:
    paths = httpx.get(f"{stack.url}/openapi.json").json()["paths"]
    expected = {(verb.upper(), re.sub(r"\{\w+\}", "*", path)) for path, verbs in paths.items() for verb in verbs}
    sent: set[tuple[str, str]] = set()

    def record(request: httpx.Request) -> httpx.Response:
        sent.add((request.method, re.sub(r"(?<=/)(?:id|tpl_1|1)(?=/|$)", "*", request.url.path)))
        state = {"id": "id", "status": "completed", "counts": {}, "warnings": [], "files": []}
        return httpx.Response(200, json=state)

    client: Any = Docmill("key", "http://service", transport=httpx.MockTransport(record))
    with client:
        run = client.batches.create("tpl_1", [{}])
        templates, webhooks = client.templates, client.webhooks
        run.refresh(), run.download(), run.manifest(), run.cancel(), run.retry(), client.batches.list()
        list(run.rows()), list(client.batches.events("id")), list(templates.versions("id")), list(webhooks.deliveries("id"))
        templates.upload(b"", "a.docx"), templates.validate(b""), templates.list(), templates.get("id"), templates.rename("id", "b")
        templates.put(b"", "a.docx"), templates.replace("id", b"", "a"), templates.delete("id"), templates.schema("id"), templates.download("id")
        templates.download_version("id", 1), templates.promote("id", 1), templates.generate("tpl_1", {}), templates.start("tpl_1", {}), client.batches.quote("tpl_1", [{}])
        templates.review("id", 1), templates.submit("id", 1), templates.comment("id", 1, "a"), templates.approve("id", 1)
        templates.refuse("id", 1, "a"), templates.override("id", 1, "a")
        templates.preview("tpl_1", {}), templates.preview_file(b"", {}), templates.statistics(["id"]), templates.thumbnail("id")
        client.jobs.get("id"), client.jobs.list(), client.jobs.download("id"), client.jobs.cancel("id"), client.jobs.receipt("id")
        client.jobs.request("id"), client.jobs.timeline("id")
        client.deliveries.list(), client.deliveries.get("id"), client.deliveries.resend("id"), client.deliveries.create("id", to=["a@example.com"]), client.account.quotas(), client.account.usage()
        client.account.key(), list(client.account.keys())
        webhooks.create("https://a", []), webhooks.list(), webhooks.get("id"), webhooks.update("id"), webhooks.delete("id")
        webhooks.test("id"), webhooks.rotate_secret("id"), webhooks.delivery("id", "id"), webhooks.redeliver("id", "id")
        library: Any
        for library in (client.assets, client.fonts):
            library.upload(b"", "a"), library.list(), library.get("id"), library.delete("id")
        client.invoices.validate(b""), client.assets.download("id"), client.dictionary.put({}), client.dictionary.get(), client.dictionary.delete()
    admin: Any = DocmillAdmin("key", "http://service", transport=httpx.MockTransport(record))
    with admin:
        accounts, keys, acts, erasures, operators = admin.accounts, admin.keys, admin.operations, admin.erasures, admin.operator_keys
        accounts.create("a"), list(accounts.list()), accounts.get("id"), accounts.suspend("id"), accounts.resume("id")
        accounts.set_email_limits("id"), accounts.set_batch_weight("id", 1), accounts.set_approval("id", True), accounts.usage("id"), list(accounts.deliveries("id"))
        list(accounts.key_use("id")), accounts.set_subscription("id", docs=1, templates=1), accounts.grant_credits("id", docs=1, templates=1)
        accounts.erase("id", "a"), keys.create("id"), list(keys.list("id")), keys.rotate("id"), keys.revoke("id"), keys.set_budget("id", 1)
        acts.queues(), acts.busiest_accounts(), acts.pauses(), acts.pause(all_queues=True), acts.resume(queue="pdf"), acts.workers()
        acts.drain(all_workers=True), acts.retry(batch="id"), acts.quarantine(), acts.lift_quarantine(template="id")
        acts.pin_template("id", None), acts.reseal_webhooks(check=True), erasures.create(document="id"), list(erasures.list())
        erasures.get("id"), operators.create("a"), list(operators.list()), operators.revoke("id"), list(admin.audit.list())
    assert sent == expected

"""A document is charged once, whatever happens between the request and its response."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest

from conftest import EXAMPLES, Connect, Stack, charged, data_of
from hostile_server import forward, serve

LETTER = EXAMPLES / "letter.docx"


@pytest.mark.parametrize(
    "lost",
    [lambda answer: None, lambda answer: answer[:20], lambda answer: answer[: len(answer) // 2]],
    ids=["no answer", "half a status line", "half a document"],
)
def test_an_answer_that_is_lost_costs_nothing_more(
    connect: Connect, stack: Stack, lost: Callable[[bytes], bytes | None]
) -> None:
    key = stack.new_key()
    direct = connect(key, stack.url)
    template = direct.templates.upload(LETTER)["id"]
    with serve(forward(stack.url, lost), forward(stack.url, lost), forward(stack.url, lambda whole: whole)) as proxy:
        document = connect(key, proxy.url).templates.generate(template, data_of("letter"), format="pdf")
    assert len(proxy.requests) == 3
    assert document.content.startswith(b"%PDF-") and document.content.rstrip().endswith(b"%%EOF")
    assert charged(direct) == 1 and len(direct.jobs.list()) == 1


def test_a_batch_whose_answer_is_lost_exists_once(connect: Connect, stack: Stack) -> None:
    key = stack.new_key()
    direct = connect(key, stack.url)
    template = direct.templates.upload(EXAMPLES / "certificate.docx")["id"]
    rows = ({"participant": {"name": name}} for name in ("Ada", "Grace"))
    with serve(forward(stack.url, lambda answer: None), forward(stack.url, lambda answer: answer)) as proxy:
        run = connect(key, proxy.url).batches.create(template, rows)
    assert len(proxy.requests) == 2
    assert [one["id"] for one in direct.batches.list()] == [run.id]
    assert direct.batches.get(run.id).wait()["counts"]["succeeded"] == 2
    assert charged(direct) == 2


def test_an_upload_whose_answer_is_lost_exists_once(connect: Connect, stack: Stack) -> None:
    key = stack.new_key()
    with serve(forward(stack.url, lambda answer: None), forward(stack.url, lambda answer: answer)) as proxy:
        connect(key, proxy.url).templates.upload(LETTER)
    assert len(connect(key, stack.url).templates.list()) == 1


def test_a_process_that_is_killed_repeats_its_call_for_one_charge(connect: Connect, stack: Stack, kind: str) -> None:
    key = stack.new_key()
    direct = connect(key, stack.url)
    template = direct.templates.upload(LETTER)["id"]
    program = (
        "import asyncio, sys, docmill\n"
        "template, kind = sys.argv[1:]\n"
        "async def run():\n"
        "    async with docmill.AsyncDocmill() as client:\n"
        "        return await client.templates.generate(template, {}, idempotency_key='order-1')\n"
        "document = asyncio.run(run()) if kind == 'async' else docmill.Docmill().templates.generate("
        "template, {}, idempotency_key='order-1')\n"
        "print(document.id)\n"
    )
    first: list[subprocess.Popen[str]] = []

    def kill(_: bytes) -> None:
        first[0].send_signal(signal.SIGKILL)
        first[0].wait()

    def start(url: str) -> subprocess.Popen[str]:
        source = str(Path(sys.modules["docmill"].__file__ or "").parents[1])
        env: dict[str, Any] = {**os.environ, "DOCMILL_API_KEY": key, "DOCMILL_URL": url, "PYTHONPATH": source}
        return subprocess.Popen([sys.executable, "-c", program, template, kind], env=env, stdout=subprocess.PIPE, text=True)

    with serve(forward(stack.url, kill)) as proxy:
        first.append(start(proxy.url))
        assert first[0].communicate(timeout=60)[0] == "" and first[0].returncode == -signal.SIGKILL
    printed, _ = start(stack.url).communicate(timeout=60)
    assert [job["id"] for job in direct.jobs.list()] == [printed.strip()]
    assert charged(direct) == 1

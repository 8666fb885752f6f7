"""Both clients behind one blocking interface, and the accounts of the tested stack."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
from pathlib import Path
from typing import Any, Callable, Iterator

import httpx
import pytest

from docmill import AsyncDocmill, Docmill, RetryPolicy

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"
FAST = RetryPolicy(first_pause=0.01, longest_pause=0.05, longest_wait=5)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Writes one line for each test to DOCMILL_TEST_REPORT, for the suite that runs this one."""
    target = os.environ.get("DOCMILL_TEST_REPORT")
    if target and (report.when == "call" or report.outcome != "passed"):
        line = {"test": report.nodeid, "outcome": report.outcome, "text": report.longreprtext[-6000:]}
        with open(target, "a", encoding="utf-8") as lines:
            lines.write(json.dumps(line) + "\n")


class Blocking:
    """Wraps an object of the asynchronous client so that calls wait for their result."""

    def __init__(self, target: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._target = target
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        return self._wrap(getattr(self._target, "aclose" if name == "close" else name))

    def __repr__(self) -> str:
        return repr(self._target)

    def _wrap(self, value: Any) -> Any:
        if inspect.iscoroutine(value):
            return self._wrap(self._loop.run_until_complete(value))
        if inspect.isasyncgen(value):
            return self._iterate(value)
        if inspect.ismethod(value):
            return lambda *args, **options: self._wrap(value(*args, **options))
        if isinstance(value, tuple):
            return tuple(self._wrap(one) for one in value)
        is_async = type(value).__module__.startswith("docmill._async")
        return Blocking(value, self._loop) if is_async else value

    def _iterate(self, generator: Any) -> Iterator[Any]:
        try:
            while True:
                yield self._wrap(self._loop.run_until_complete(generator.__anext__()))
        except StopAsyncIteration:
            return
        finally:
            self._loop.run_until_complete(generator.aclose())


Connect = Callable[..., Any]


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> str:
    """The name of the client to test."""
    return str(request.param)


@pytest.fixture
def connect(kind: str) -> Iterator[Connect]:
    """Makes clients: `connect(api_key, base_url, …)`."""
    loop = asyncio.new_event_loop()
    opened: list[Any] = []

    def make(api_key: str, base_url: str, **options: Any) -> Any:
        options.setdefault("retry", FAST)
        client: Any
        if kind == "sync":
            client = Docmill(api_key, base_url, **options)
        else:
            client = Blocking(AsyncDocmill(api_key, base_url, **options), loop)
        opened.append(client)
        return client

    yield make
    for client in opened:
        client.close()
    loop.close()


class Stack:
    """The tested service and its operator."""

    def __init__(self) -> None:
        self.url = os.environ.get("DOCMILL_TEST_URL", "")
        self._operator = os.environ.get("DOCMILL_TEST_OPERATOR", "")
        if not self.url or not self._operator:
            pytest.skip("needs a stack: test/acceptance/clients/python.test.ts starts one")

    def new_key(self, docs: int = 1000, templates: int = 50) -> str:
        """Creates an account and returns its key."""
        account = self._run("create-account", "--name", "python")["accountId"]
        key: str = self._run("create-key", "--account", account)["apiKey"]
        if docs + templates > 0:
            self._run("set-subscription", "--account", account, "--docs", str(docs), "--templates", str(templates))
        return key

    def _run(self, *line: str) -> Any:
        answer = httpx.post(self._operator, content=json.dumps([*line, "--json"]), timeout=60)
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture(scope="session")
def stack() -> Stack:
    """The tested service."""
    return Stack()


def charged(client: Any) -> int:
    """The number of documents charged to the account."""
    quotas = client.account.quotas()
    return int(quotas["allocated"]["total"]["docs"] - quotas["remaining"]["total"]["docs"])


def data_of(example: str) -> Any:
    """The data of an example."""
    return json.loads((EXAMPLES / f"{example}.json").read_text(encoding="utf-8"))

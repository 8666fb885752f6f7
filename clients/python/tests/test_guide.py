"""The snippets of the guide, run in order."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from conftest import EXAMPLES, ROOT, Stack


def test_the_snippets_of_the_guide_work_twice_on_one_account(stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / "docs/guides/python.md"
    text = page.read_text(encoding="utf-8")
    snippets = [(text[: match.start()].count("\n") + 1, match[1]) for match in re.finditer(r"^```python\n(.*?)^```", text, re.S | re.M)]
    assert len(snippets) >= 6
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOCMILL_URL", stack.url)
    monkeypatch.setenv("DOCMILL_API_KEY", stack.new_key())
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    for _ in range(2):
        names: dict[str, object] = {"__name__": "guide"}
        for line, snippet in snippets:
            exec(compile("\n" * line + snippet, os.fspath(page), "exec"), names)
    assert (tmp_path / "letter.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "certificates").is_dir()

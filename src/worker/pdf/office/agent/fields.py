"""Reads the fields of a .docx from its markup, because updating them takes a tenth of the time of a small document."""
import html
import re
import zipfile
import zlib

MARKS = (b"instrText", b"fldSimple", b"pgNum")
BYTES_AT_ONCE = 1024 * 1024
LONGEST_MARK = max(len(mark) for mark in MARKS)
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
MAIN_PART = "word/document.xml"
MAX_PART_BYTES = 32 * 1024 * 1024
FIELD_MARKUP = re.compile(
    r'<\w+:fldChar\b[^>]*?fldCharType="(\w+)"|<\w+:instrText\b[^>/]*>([^<]*)<|<\w+:fldSimple\b[^>]*?:instr="([^"]*)"')
INDEX = re.compile(r"\s*(TOC|INDEX|BIBLIOGRAPHY)\b", re.IGNORECASE)


def may_have_fields(path):
    """Searches all parts for the markup of fields. Returns True if a part cannot be read."""
    try:
        with zipfile.ZipFile(path) as package:
            names = [name for name in package.namelist() if name.endswith(".xml") and not name.startswith("docProps/")]
            return any(has_marks(package, name) for name in names)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, ValueError):
        return True


def has_marks(package, name):
    before = b""
    with package.open(name) as part:
        while True:
            read = part.read(BYTES_AT_ONCE)
            if not read:
                return False
            text = before + read
            if text.startswith(UTF_16) or any(mark in text for mark in MARKS):
                return True
            before = text[-LONGEST_MARK:]


def index_instructions(path):
    """The instructions of the fields that LibreOffice reads as indexes, in order; [] if they cannot be read."""
    try:
        with zipfile.ZipFile(path) as package:
            if package.getinfo(MAIN_PART).file_size > MAX_PART_BYTES:
                return []
            text = package.read(MAIN_PART).decode("utf-8")
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, ValueError, KeyError):
        return []
    found, open_fields = [], []
    for match in FIELD_MARKUP.finditer(text):
        mark, code, simple = match.groups()
        if simple is not None:
            found.append(simple)
        elif code is not None and open_fields:
            found[open_fields[-1]] += code
        elif mark == "begin":
            open_fields.append(len(found))
            found.append("")
        elif mark == "end" and open_fields:
            open_fields.pop()
    return [html.unescape(code) for code in found if INDEX.match(code)]

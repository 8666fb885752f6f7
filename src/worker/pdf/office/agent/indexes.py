"""Refreshes tables of contents and other indexes, and keeps the author's where LibreOffice's would be poorer.

`rebuild` updates the indexes that can be updated and compares them with the author's. Undoing an update may lose text,
so the document is reloaded if an index is kept; `restore` then repeats the good updates and corrects the page numbers
of the kept indexes.
"""
import re

import index_format
from index_entries import Search, entries_of, entry_paragraphs, indexes_of, key_of, match, paragraph_around

MAX_ROUNDS = 3
MAX_NAME_CHARS = 60
MAX_REPORTS = 20
# com.sun.star.text.ControlCharacter, ReferenceFieldSource and ReferenceFieldPart.
PARAGRAPH_BREAK, BOOKMARK, PAGE_DESC = 0, 2, 4

# Reasons why LibreOffice cannot build these as Word does. It reads neither the sources of a bibliography nor their
# style, and it gives each page of an entry in an alphabetical index a line of its own.
NOT_REBUILT = {
    "com.sun.star.text.Bibliography": "sources",
    "com.sun.star.text.DocumentIndex": "layout",
}


class Index:
    """An index, the author's entries, and the decision about it."""

    def __init__(self, index, instruction):
        self.service = index.getServiceName()
        self.instruction = instruction
        self.before = entries_of(index)
        self.after = []
        # "rebuilt", "same" (only page numbers change) or "kept"
        self.decision = "rebuilt"
        self.reason, self.lost = "", ""
        self.title = []

    def keep(self, reason, lost=""):
        self.decision, self.reason, self.lost = "kept", reason, lost

    def report(self):
        first = self.before[0].label if self.before else ""
        return {
            "kind": self.service.rpartition(".")[2], "begins": shown(first), "reason": self.reason, "lost": shown(self.lost)}


class Failed:
    """A placeholder for the indexes of a document whose refresh raised an error."""
    decision, before = "kept", True

    def report(self):
        return {"kind": "", "begins": "", "reason": "failed", "lost": ""}


def is_in_table(index):
    """Whether it is in a table, where an update crashes LibreOffice or loses the surrounding paragraphs."""
    anchor = index.getAnchor()
    return any(place.getImplementationName() == "SwXCell" for place in (anchor.getText(), anchor.getStart().getText()))


def has_table(index):
    """Whether the field encloses a table, which an update would remove."""
    contents = index.getAnchor().createEnumeration()
    while contents.hasMoreElements():
        if not contents.nextElement().supportsService("com.sun.star.text.Paragraph"):
            return True
    return False


def rebuild(document, instructions):
    """Updates the indexes and decides what is printed for each. `instructions` are those of the fields, in order."""
    found = indexes_of(document)
    known = instructions if len(instructions) == len(found) else [""] * len(found)
    results = [Index(index, instruction) for index, instruction in zip(found, known)]
    for index, result in zip(found, results):
        if result.service in NOT_REBUILT:
            result.keep(NOT_REBUILT[result.service])
        elif is_in_table(index):
            result.keep("table")
        elif has_table(index):
            result.keep("text")
        else:
            index_format.configure(document, index, result.instruction, result.before)
    update(document, results)
    search = Search(document)
    for index, result in zip(found, results):
        if result.decision == "rebuilt":
            result.after = entries_of(index)
            decide(document, result, search)
    return results


def update(document, results):
    chosen = [index for index, result in zip(indexes_of(document), results) if result.decision == "rebuilt"]
    # A longer index moves its headings to other pages, so indexes are updated until their length is stable.
    for _ in range(MAX_ROUNDS if chosen else 0):
        pages = page_count(document)
        for index in chosen:
            index.update()
        if page_count(document) == pages:
            break


def page_count(document):
    return document.getCurrentController().PageCount


def decide(document, result, search):
    """Whether the author's index is kept, and why."""
    entries = [entry for entry in result.before if match(entry, result.after) or entry.is_entry]
    if not result.before:
        return
    if not result.after:
        result.keep("entries")
        return
    if not entries:
        decide_without_entries(result)
        return
    lost = next((entry for entry in entries if not entry.match and search.finds(entry, result.after)), None)
    if lost is not None:
        result.keep("entry", lost.label)
    elif any(entry.match and entry.page and not entry.match.page for entry in entries):
        result.keep("pages")
    elif [entry.match for entry in entries] == result.after:
        result.decision = "same"
    elif any(entry.match and entry.match.key != entry.key for entry in entries):
        result.keep("numbers")
    else:
        first = result.before.index(entries[0])
        result.title = [entry for entry in result.before[:first]]
        if any(not entry.is_entry for entry in result.before[first:]):
            result.keep("text")


def decide_without_entries(result):
    """A text instead of entries, such as a request to update the field, is replaced; a title is kept."""
    text = key_of("".join(entry.text for entry in result.before))
    if any(entry.key in text for entry in result.after):
        result.keep("shared")
        return
    result.title = [entry for entry in result.before if re.search("heading|title", entry.style, re.IGNORECASE)]


def shown(text):
    return " ".join(text.split())[:MAX_NAME_CHARS]


def reports(results):
    """Reports about the indexes that are kept. Those without text would be empty either way."""
    return [result.report() for result in results if result.decision == "kept" and result.before][:MAX_REPORTS]


def needs_original(results):
    return any(result.decision != "rebuilt" for result in results)


def restore(document, results):
    """Repeats the good updates in a reloaded document, and corrects the page numbers of the other indexes."""
    found = indexes_of(document)
    for index, result in zip(found, results):
        if result.decision == "rebuilt":
            index_format.configure(document, index, result.instruction, result.before)
    update(document, results)
    search = Search(document)
    for index, result in zip(found, results):
        if result.decision != "rebuilt":
            correct_pages(document, index, result, search)


def add_titles(document, results):
    """Restores the titles that are part of the field."""
    for index, result in zip(indexes_of(document), results):
        if result.decision != "rebuilt":
            continue
        for title in reversed(result.title):
            start = index.getAnchor().getStart()
            text = start.getText()
            cursor = text.createTextCursorByRange(start)
            text.insertString(cursor, title.text, False)
            text.insertControlCharacter(cursor.getEnd(), PARAGRAPH_BREAK, False)
            text.createTextCursorByRange(index.getAnchor().getStart()).ParaStyleName = title.style


def correct_pages(document, index, result, search):
    """Replaces the page numbers at the ends of the author's entries and keeps their formatting."""
    for entry, paragraph in zip(result.before, entry_paragraphs(index)):
        if not entry.page or paragraph.getString().strip() != entry.text:
            continue
        trailing = len(paragraph.getString()) - len(paragraph.getString().rstrip())
        text = paragraph.getText()
        cursor = text.createTextCursorByRange(paragraph.getEnd())
        cursor.goLeft(trailing, False)
        cursor.goLeft(len(entry.page), True)
        if cursor.getString() != entry.page:
            continue
        if document.getBookmarks().hasByName(entry.bookmark):
            link = cursor.HyperLinkURL
            cursor.setString("")
            text.insertTextContent(cursor, page_field(document, entry.bookmark), False)
            cursor.goLeft(1, True)
            cursor.HyperLinkURL = link
        elif entry.match and entry.match.page:
            cursor.setString(entry.match.page)
        else:
            bookmark = mark_heading(document, search, entry)
            if bookmark:
                cursor.setString("")
                text.insertTextContent(cursor, page_field(document, bookmark), False)


def mark_heading(document, search, entry):
    """Sets a bookmark where the entry's text is a separate paragraph."""
    found = search.find(entry.label) if entry.label else None
    if found is None or not entry.key.endswith(key_of(paragraph_around(found))):
        return ""
    bookmark = document.createInstance("com.sun.star.text.Bookmark")
    found.getText().insertTextContent(found.getStart(), bookmark, False)
    return bookmark.Name


def page_field(document, bookmark):
    field = document.createInstance("com.sun.star.text.TextField.GetReference")
    field.ReferenceFieldSource, field.ReferenceFieldPart, field.SourceName = BOOKMARK, PAGE_DESC, bookmark
    return field

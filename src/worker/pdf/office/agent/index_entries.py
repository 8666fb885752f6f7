"""The entries of an index: their text, their link targets, and whether the targets are still in the document."""
import re

from com.sun.star.uno import Exception as UnoException

MAX_SEARCHES = 200

PAGE_NUMBER = re.compile(r"(?:[A-Za-z0-9]{1,4}[-.\u2010-\u2013])?(?:\d{1,6}|[ivxlcdm]{1,10}|[IVXLCDM]{1,10})$")
NUMBERING = re.compile(r"^[\divxlcdmA-Z]{1,8}(?:[.)\-\u2013][\dA-Za-z]{0,6}){0,9}[.):]?$", re.IGNORECASE)


class Entry:
    """A paragraph of an index."""

    def __init__(self, paragraph):
        text = paragraph.getString()
        self.text = text.strip()
        self.style = paragraph.ParaStyleName
        self.label, self.page = split_page(self.text)
        self.key = key_of(self.label)
        self.bookmark = bookmark_of(paragraph)
        # Position of the tab between number and text, in hundredths of a millimetre.
        tabs = paragraph.ParaTabStops
        self.number_tab = tabs[0].Position if len(tabs) > 1 else None
        self.match = None

    @property
    def is_entry(self):
        return bool(self.page or self.bookmark or self.match)


def split_page(text):
    label, tab, last = text.rpartition("\t")
    if tab and PAGE_NUMBER.match(last.strip()):
        return label.strip(), last.strip()
    found = re.match(r"(?s)(.*?)[\s.\u2026_]+(\d{1,6})$", text)
    return (found.group(1).strip(), found.group(2)) if found and not tab else (text, "")


def key_of(label):
    return re.sub(r"\s+", "", label).casefold()


def paragraphs_of(content):
    """The paragraphs of a range. Tables in it contribute none."""
    paragraphs = content.createEnumeration()
    while paragraphs.hasMoreElements():
        paragraph = paragraphs.nextElement()
        if paragraph.supportsService("com.sun.star.text.Paragraph"):
            yield paragraph


def entry_paragraphs(index):
    """Its non-empty paragraphs, without LibreOffice's title."""
    try:
        title = {index.HeaderSection.Name}
    except (UnoException, AttributeError):
        title = set()
    return [
        paragraph for paragraph in paragraphs_of(index.getAnchor())
        if paragraph.getString().strip() and section_name(paragraph) not in title]


def entries_of(index):
    return [Entry(paragraph) for paragraph in entry_paragraphs(index)]


def section_name(content):
    section = content.TextSection
    return "" if section is None else section.Name


def bookmark_of(paragraph):
    """The bookmark that the entry links to."""
    portions = paragraph.createEnumeration()
    while portions.hasMoreElements():
        url = portions.nextElement().HyperLinkURL
        if url.startswith("#"):
            return url[1:]
    return ""


def indexes_of(document):
    indexes = document.getDocumentIndexes()
    return [indexes.getByIndex(number) for number in range(indexes.getCount())]


def match(entry, candidates):
    """Finds the rebuilt entry for the author's, whose last number may be a page number or part of the heading."""
    whole = key_of(entry.text)
    for key in dict.fromkeys((entry.key, whole)):
        for candidate in candidates:
            if candidate.key == key and not candidate.match:
                entry.match, candidate.match = candidate, entry
                if key == whole:
                    entry.label, entry.key, entry.page = entry.text, whole, ""
                return True
    for candidate in candidates:
        if candidate.key and not candidate.match and entry.key.endswith(candidate.key):
            if NUMBERING.match(entry.key[:-len(candidate.key)]):
                entry.match, candidate.match = candidate, entry
                return True
    return False


class Search:
    """Finds whether the targets of entries are still in the document, because tags remove and rename headings."""

    def __init__(self, document):
        self.document = document
        self.sections = {index.ContentSection.Name for index in indexes_of(document)}
        self.left = MAX_SEARCHES

    def finds(self, entry, rebuilt):
        bookmarks = self.document.getBookmarks()
        if entry.bookmark and not entry.bookmark.startswith("__RefHeading"):
            if not bookmarks.hasByName(entry.bookmark):
                return False
            heading = key_of(paragraph_around(bookmarks.getByName(entry.bookmark).getAnchor()))
            return heading != "" and not any(other.key.endswith(heading) for other in rebuilt)
        if not entry.label:
            return False
        return self.find(entry.label) is not None

    def find(self, label):
        """The first range outside indexes with the text of the label, after its number."""
        descriptor = self.document.createSearchDescriptor()
        descriptor.SearchString = label.rpartition("\t")[2]
        descriptor.SearchCaseSensitive = True
        found = None
        while self.left > 0:
            self.left -= 1
            found = self.document.findNext(found.getEnd(), descriptor) if found else self.document.findFirst(descriptor)
            if found is None or not self.is_in_index(found):
                return found
        return None

    def is_in_index(self, found):
        section = found.TextSection
        while section is not None:
            if section.Name in self.sections:
                return True
            section = section.getParentSection()
        return False


def paragraph_around(anchor):
    cursor = anchor.getText().createTextCursorByRange(anchor.getStart())
    cursor.gotoStartOfParagraph(False)
    cursor.gotoEndOfParagraph(True)
    return cursor.getString()

"""Finds the pages of the bookmarks that mark sections and fields."""
import bisect

PREFIX = "_docmill_"
MAX_MARKS = 5_000


def layout(document):
    """The pages of the PDF, and of each mark by its name; {} if there are no marks."""
    bookmarks = document.getBookmarks()
    names = [name for name in bookmarks.getElementNames() if name.startswith(PREFIX)]
    if not names:
        return {}
    controller = document.getCurrentController()
    cursor = controller.getViewCursor()
    marks = {}
    for name in names[:MAX_MARKS]:
        cursor.gotoRange(bookmarks.getByName(name).getAnchor(), False)
        marks[name] = cursor.getPage()
    blank = blank_pages(cursor, set(marks.values()))

    def printed(page):
        return page - bisect.bisect_left(blank, page)

    return {"layout": {
        "pages": controller.PageCount - len(blank),
        "pagesAfterBlank": [printed(page + 1) for page in blank],
        "marks": {name: printed(page) for name, page in marks.items()},
    }}


def blank_pages(cursor, marked):
    """The blank pages that LibreOffice inserts before sections, so that odd page numbers are on right-hand pages."""
    return [page for page in sorted({page - 1 for page in marked} - marked - {0}) if is_blank(cursor, page)]


def is_blank(cursor, page):
    # The cursor cannot be on such a page. A blank page of the author has a paragraph.
    cursor.jumpToPage(page)
    return cursor.getPage() != page

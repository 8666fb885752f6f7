"""Finds the pages of the bookmarks that mark sections and fields."""

PREFIX = "_docmill_"
MAX_MARKS = 5_000


def pages_of_marks(document):
    """The page of each mark by its name, and the number of pages; {} if there are no marks."""
    bookmarks = document.getBookmarks()
    names = [name for name in bookmarks.getElementNames() if name.startswith(PREFIX)]
    if not names:
        return {}
    controller = document.getCurrentController()
    cursor = controller.getViewCursor()
    pages = {}
    for name in names[:MAX_MARKS]:
        cursor.gotoRange(bookmarks.getByName(name).getAnchor(), False)
        pages[name] = cursor.getPage()
    return {"marks": pages, "documentPages": controller.PageCount}

"""Where the pages of a long table end: lays out some of its rows at a time and reads the first rows of pages."""
import collections

# The first rows of a table, which show whether its rows are alike.
FIRST_ROWS = 400
# Rows laid out from a known page start. A page or two at their end are laid out again: fewer rows repeat more often, more
# rows come near the square.
ROWS_AT_ONCE = 800
# The length of parts that need no layout of their own.
PREDICTED_ROWS = 200
MAX_ROWS_AT_ONCE = 3_200
LONGEST_ROWS = 80
# Rows that the search for a page's first row goes back at first.
FIRST_STEP = 16
# Writer reports positions in 1/100 mm, made of twips (0.018 mm).
TOLERANCE = 3

# A joint is the body row that begins a page: `pages` since the part's first row, the distance from the row before (`gap`)
# and to the row after it (`pitch`, None if that is on another page). Positions count through all pages.
Joint = collections.namedtuple("Joint", "row pages gap pitch")


class Layout:
    """Positions of one table's rows in an open document."""

    def __init__(self, document, table, header_rows):
        self.cursor = document.getCurrentController().getViewCursor()
        self.table, self.header_rows = table, header_rows
        self.columns = table.getColumns().getCount()

    def locate(self, place):
        self.cursor.gotoRange(place, False)
        return self.cursor.getPage(), self.cursor.getPosition().Y

    def start(self, row):
        """Page and vertical position of the first line in a body row."""
        return self.locate(self.table.getCellByPosition(0, row + self.header_rows).getStart())

    def first(self):
        """Page of the table's first row."""
        return self.locate(self.table.getCellByPosition(0, 0).getStart())[0]

    def ends_before(self, row, page):
        """Whether all text of a body row is on pages before `page`."""
        for column in range(64):
            try:
                cell = self.table.getCellByPosition(column, row + self.header_rows)
            except Exception:  # noqa: BLE001  The type differs between versions; it means that there is no such cell.
                return True
            if cell is None:
                return True
            if self.locate(cell.getEnd())[0] >= page:
                return False
        return True


def first_rows_of_pages(layout, candidates, count):
    """Yields (index in candidates, page) for the first candidates of pages, from the last page backwards."""
    high = count
    while high > 0:
        page = layout.start(candidates[high - 1])[0]
        low, top, step = 0, high - 1, FIRST_STEP
        # Each reading costs as much as laying out two rows, so the search begins near the end.
        while top - step > 0:
            if layout.start(candidates[top - step])[0] < page:
                low = top - step + 1
                break
            top -= step
            step *= 2
        while low < top:
            middle = (low + top) // 2
            if layout.start(candidates[middle])[0] < page:
                low = middle + 1
            else:
                top = middle
        yield low, page
        high = low


def is_clean(layout, candidates, index, page):
    """Whether nothing of the rows before the candidate is on its page."""
    before = candidates[index - 1] if index > 0 else 0
    return all(layout.ends_before(row, page) for row in range(before, candidates[index]))


def make_joint(layout, row, last_row, page, offset, first_page):
    """`offset` is the body row at which the laid out part begins, `last_row` the end of the part."""
    y = layout.start(row - offset)[1]
    pitch = None
    if row + 1 < last_row:
        next_page, next_y = layout.start(row + 1 - offset)
        pitch = next_y - y if next_page == page else None
    return Joint(row, page - first_page, y - layout.start(row - 1 - offset)[1], pitch)


def find_joint(layout, table, start, end, predicts):
    """The last clean page start between two body rows, and the rows of each page if the last three pages are alike.

    Both are None if there is no such page, or no layout. The second is None unless `predicts`.
    """
    if layout is None:
        return None, None
    candidates = [row - start for row in table.joints if start <= row < end]
    first_page, clean = layout.first(), []
    for index, page in first_rows_of_pages(layout, candidates, len(candidates)):
        if page <= first_page:
            break
        if is_clean(layout, candidates, index, page):
            row = start + candidates[index]
            clean.append(make_joint(layout, row, end, page, start, first_page))
            if not predicts or len(clean) == 3 or len(table.joints) < table.body_rows:
                break
        elif clean:
            break
    if not clean:
        return None, None
    return clean[0], rows_per_page(clean)


def rows_per_page(joints):
    """`joints` are page starts from the last one backwards."""
    if len(joints) < 3:
        return None
    last, middle, first = joints
    is_regular = (
        last.row - middle.row == middle.row - first.row and last.pages - middle.pages == middle.pages - first.pages == 1
        and is_near(last.gap, middle.gap)
        and None not in (last.pitch, middle.pitch) and is_near(last.pitch, middle.pitch))
    return last.row - middle.row if is_regular else None


def have_pitch(layout, count, pitch):
    """Whether all rows have the same height, measured from row to row on a page."""
    if layout is None:
        return False
    places = [layout.start(row) for row in range(count)]
    return all(
        page != next_page or is_near(next_y - y, pitch) for (page, y), (next_page, next_y) in zip(places, places[1:]))


def is_joint(layout, following, joint, start, end):
    """Whether one part ends and the next one begins as found. `start` is the first row of the one, `end` ends the other."""
    first_page = layout.first()
    last_page, last_y = layout.start(joint.row - 1 - start)
    page, y = following.start(0)
    if page - first_page != joint.pages or last_page != page - 1 or following.first() != page:
        return False
    if not is_near(y - last_y, joint.gap):
        return False
    if joint.pitch is None or joint.row + 1 >= end:
        return True
    next_page, next_y = following.start(1)
    return next_page == page and is_near(next_y - y, joint.pitch)


def is_near(one, other):
    return abs(one - other) <= TOLERANCE

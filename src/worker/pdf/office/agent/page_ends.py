"""Finds where the pages of a long table end, by laying out some rows at a time and reading the first rows of pages."""
import bisect
import collections
import itertools

from table_layout import HUNDREDTHS_PER_TWIP, is_near, to_twips

# The numbers of rows that are laid out at a time, and in a part.
#
# `first`: the first rows of a table, which show whether its rows are alike.
# `following`: rows laid out from a known page start. The last page or two are laid out again, so fewer rows mean more
# repetition, and more rows approach quadratic time.
# `part`: a page in parts of 300 rows takes a quarter longer than in parts of 100, but finding and verifying each joint
# takes as long as 40 rows. Parts of 180 to 275 rows therefore cost the same, and shorter ones more.
# `predicted`: the length of parts with similar rows, which need no layout of their own.
# `computed`: the same if the row heights were computed. Such rows are higher, so a joint takes only as long as a dozen
# of them.
Spans = collections.namedtuple("Spans", "first following part predicted computed")
BEST = Spans(400, 550, 275, 200, 110)
MAX_ROWS_AT_ONCE = 3_200
LONGEST_ROWS = 80
# Initial number of rows that the search for a page's first row goes back.
FIRST_STEP = 16
# On this number of pages only the cursor is tried; then rows are searched.
QUICK_STARTS = 3

# A joint is the body row that begins a page: `pages` since the part's first row, the distance from the previous row
# (`gap`) and to the next row (`pitch`, None if that is on another page or not needed). Positions count through all
# pages. If heights are computed, the text of the previous row is `depth` high in `column`, from its first to its last
# line.
Joint = collections.namedtuple("Joint", "row pages gap pitch column depth", defaults=(0, 0))


def spans_of(long_rows):
    """The best lengths, or shorter ones if a low row count already makes a table long."""
    return Spans(*map(min, BEST, (long_rows * 2 // 3, long_rows, long_rows // 3, long_rows // 3, long_rows // 3)))


def first_of_page(layout, candidates, high, page, expected):
    """The index of the first candidate on the page of the one before `high`. `expected` is a guess, or None."""
    if expected is not None:
        low = bisect.bisect_left(candidates, expected)
        if low < high and layout.start(candidates[low])[0] == page and (
                low == 0 or layout.start(candidates[low - 1])[0] < page):
            return low
    low, top, step = 0, high - 1, FIRST_STEP
    # Each read costs as much as laying out two rows, so the search begins near the end.
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
    return low


def is_clean(layout, candidates, index, page, last):
    """Whether nothing of the rows before the candidate is on its page. `last` is the row of the last text before it."""
    if layout.columns == 1 and last == candidates[index] - 1:
        return True
    before = candidates[index - 1] if index > 0 else 0
    return all(layout.ends_before(row, page) for row in range(before, candidates[index]))


def make_joint(layout, row, count, page, page_before, predicts):
    """A joint, by its row among the `count` rows laid out. `page_before` is the page on which its part begins.

    Only predictions need a pitch, because a row that was laid out is no lower in the document, and begins its page
    there too.
    """
    y = layout.start(row)[1]
    pitch = None
    if predicts and row + 1 < count:
        next_page, next_y = layout.start(row + 1)
        pitch = next_y - y if next_page == page else None
    return Joint(row, page - page_before, y - layout.start(row - 1)[1], pitch)


def find_joints(layout, table, start, end, part_rows, predicts):
    """Clean page starts between two body rows, one for each part, and the number of rows per page if the last three pages
    are alike.

    The first result is empty if there is no clean start, or no layout. The second is None unless `predicts`.
    """
    if layout is None:
        return [], None
    candidates = [row - start for row in table.joints if start <= row < end]
    first_page = layout.first_page()
    clean = []
    for index, page in clean_starts(layout, candidates, len(candidates), first_page, predicts):
        clean.append((index, page))
        if not predicts or len(clean) == 3 or len(table.joints) < table.body_rows:
            break
    if not clean:
        return [], None
    pattern = None
    if len(clean) == 3:
        pattern = rows_per_page(
            [make_joint(layout, candidates[index], end - start, page, first_page, True) for index, page in clean])
    found = clean[:1]
    if pattern is None:
        found = [*starts_between(layout, candidates, clean[0], part_rows, first_page), clean[0]]
    joints, page_before = [], first_page
    for index, page in found:
        joint = make_joint(layout, candidates[index], end - start, page, page_before, pattern is not None)
        joints.append(joint._replace(row=start + joint.row))
        page_before = page
    return joints, pattern


def find_anchor(layout, candidates, last):
    """(row, page) of a clean page start before the row `last`, about halfway to it if possible, or None."""
    index = bisect.bisect_left(candidates, last)
    starts = (clean_starts(layout, candidates, count, layout.first_page(), False) for count in (index // 2, index))
    start = next(filter(None, (next(found, None) for found in starts)), None)
    return None if start is None else (candidates[start[0]], start[1])


def clean_starts(layout, candidates, count, first_page, in_succession):
    """(index, page) of clean page starts, last page first. `in_succession` stops at the first page without one."""
    high, has_found, page_after = count, False, None
    while high > 0:
        page = layout.start(candidates[high - 1])[0]
        if page <= first_page:
            return
        last, first = layout.rows_around(page) if page != page_after else (None, None)
        page_after = page
        if first is not None and first == last:
            # This row is on both pages.
            high, is_found = min(high - 1, bisect.bisect_right(candidates, last)), False
        else:
            high = first_of_page(layout, candidates, high, page, first)
            is_found = is_clean(layout, candidates, high, page, last if first == candidates[high] else None)
        if is_found:
            has_found = True
            yield high, page
        elif has_found and in_succession:
            return


def starts_between(layout, candidates, last, part_rows, first_page):
    """(index, page) of clean page starts that split the rows before the start `last` into parts of two pages or more.
    """
    (last_index, last_page), found, after = last, [], first_page
    parts = min(round(candidates[last_index] / part_rows), (last_page - first_page) // 2)
    for part in range(1, parts):
        page = first_page + (last_page - first_page) * part // parts
        nearby = range(page, max(after + 1, page - QUICK_STARTS), -1)
        start = next(filter(None, (start_of_page(layout, candidates, number) for number in nearby)), None)
        if start is None:
            count = bisect.bisect_right(candidates, candidates[last_index] * part // parts)
            start = next(clean_starts(layout, candidates, count, after + 1, False), None)
        if start is not None:
            found.append(start)
            after = start[1]
    return found


def start_of_page(layout, candidates, page):
    """(index, page) of the row that begins a page, if the cursor finds a clean start there; otherwise None."""
    last, first = layout.rows_around(page)
    if first is None or last != first - 1:
        return None
    index = bisect.bisect_left(candidates, first)
    if index == len(candidates) or candidates[index] != first or layout.page_of(first) != page:
        return None
    return (index, page) if is_clean(layout, candidates, index, page, last) else None


def rows_per_page(joints):
    """`joints` are page starts, the last one first."""
    if len(joints) < 3:
        return None
    last, middle, first = joints
    is_regular = (
        last.row - middle.row == middle.row - first.row and last.pages - middle.pages == middle.pages - first.pages == 1
        and is_near(last.gap, middle.gap)
        and None not in (last.pitch, middle.pitch) and is_near(last.pitch, middle.pitch))
    return last.row - middle.row if is_regular else None


def find_other_heights(layout, heights):
    """(row, height) of rows whose height differs from the expected one; the height is None for a row at a page end, where
    it is unknown.

    A height is the distance in twips from one row's first line to the next one's. Rows between two that are at the
    expected distance are not read. There is one more row than `heights`.
    """
    ends = [0, *itertools.accumulate(heights)]
    spans = [(0, len(heights))]
    while spans:
        first, last = spans.pop()
        (page, y), (last_page, last_y) = layout.start(first), layout.start(last)
        if page == last_page and is_near(last_y - y, (ends[last] - ends[first]) * HUNDREDTHS_PER_TWIP):
            continue
        if last - first > 1:
            middle = (first + last) // 2
            spans += [(middle, last), (first, middle)]
        else:
            yield first, to_twips(last_y - y) if page == last_page else None


def is_on_pages(layout, following, joint, start):
    """Whether one part ends and the next begins on the pages found. `start` is the first row of the first part."""
    page = following.first_page()
    return (
        page - layout.first_page() == joint.pages and following.page_of(0) == page
        and layout.page_of(joint.row - 1 - start) == page - 1)


def is_joint(layout, following, joint, start, end):
    """Whether rows are where they were found at the end of one part and the start of the next. The first part ends at
    `end`.
    """
    page, y = following.start(0)
    if not is_near(y - layout.start(joint.row - 1 - start)[1], joint.gap):
        return False
    if joint.depth and not layout.is_as_deep(joint.row - 1 - start, joint.column, joint.depth):
        return False
    if joint.pitch is None or joint.row + 1 >= end:
        return True
    next_page, next_y = following.start(1)
    return next_page == page and is_near(next_y - y, joint.pitch)

"""Lays out long tables in time proportional to their rows.

LibreOffice needs quadratic time in the number of a table's rows. The solution is to split it into several tables, each
of which fills whole pages. To find the rows at which pages begin, some hundred rows at a time are laid out from one
known page start to the next. If rows are alike, the others are predicted. The document with all parts is then compared
with these results, so that its pages are those of the whole table; otherwise the table stays whole.
"""
import contextlib
import os
import zipfile
import zlib

import page_ends
import table_layout
import table_lead
import table_parts
import table_styles
import word_body
import uno  # noqa: F401  Makes the modules of LibreOffice's types importable.
import word_package
from com.sun.star.lang import DisposedException
from com.sun.star.uno import Exception as UnoException

# LibreOffice takes this multiple of a short table's time per row: rows * (1 + (rows / ROWS_OF_TWICE_THE_TIME) ** 2).
ROWS_OF_TWICE_THE_TIME = 2_800
# Used until a measurement is available.
SECONDS_PER_CELL = 0.00012
TABLES_TO_LIST = 300
MAX_SECTION_BYTES = 8_000
# Uncertain rows at page ends are laid out again this number of times, less one.
UNCERTAIN_ROUNDS = 3
UNREADABLE = (word_body.Unreadable, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, ValueError,
              KeyError)


class TooLong(Exception):
    """A table that must stay whole would exceed the time limit."""

    def __init__(self, table):
        super().__init__("%d %d %s" % (table.number, len(table.table.rows), table.problem))


class Engine:
    """The functions of LibreOffice that this module needs, and the budget of the conversion."""

    def __init__(self, load, load_refreshed, close, refused, budget):
        self.load, self.load_refreshed, self.close, self.refused = load, load_refreshed, close, refused
        self.cpu_seconds, self.limit_seconds = budget.cpu_seconds, budget.limit_seconds
        self.long_rows, self.predict = budget.long_rows, budget.predict


def open_in_parts(engine, source, keeps_whole):
    """Opens the document with its long tables in parts, and counts the parts. None and 0 if there is no table to split.

    `keeps_whole` is the reason why no table may be split, or None. Raises TooLong for a table that must stay whole and
    that LibreOffice would not finish within the limit.
    """
    try:
        package = word_package.WordPackage(source)
        xml = package.read_main(engine.long_rows)
        if xml is None:
            return None, 0
        body = word_body.Body(xml)
        long = [table for table in body.tables if len(table.rows) >= engine.long_rows]
        if not long:
            return None, 0
        styles = table_styles.TableStyles(package.read_styles())
        tables = [table_parts.LongTable(body, table, styles) for table in long]
    except UNREADABLE:
        return None, 0
    package.add_styles(styles.shifted({table.banded for table in tables if not table.problem} - {None}), styles.prefix)
    for table in tables:
        table.problem = keeps_whole or table.problem
    before = engine.cpu_seconds()
    folder = os.path.join(os.path.dirname(source), "parts")
    layout = PartedLayout(engine, package, body, tables, folder)
    document = None
    if not any(table.problem for table in tables):
        try:
            document = layout.open(os.path.basename(source))
        except DisposedException:
            raise
        except (engine.refused, UnoException, OSError):
            # Falls back to the whole document, which then shows what is wrong with it.
            document = None
    if document is None:
        for table in tables:
            require_time(table, layout, engine.limit_seconds - (engine.cpu_seconds() - before))
    return document, layout.parts


def require_time(table, layout, seconds):
    rows, cells = len(table.table.rows), table.count_cells()
    per_row = layout.seconds_per_row or SECONDS_PER_CELL * cells / rows
    if per_row * rows * (1 + (rows / ROWS_OF_TWICE_THE_TIME) ** 2) > seconds:
        table.problem = table.problem or layout.problem
        raise TooLong(table)


class PartedLayout:
    def __init__(self, engine, package, body, tables, folder):
        self.engine, self.package, self.body, self.tables, self.folder = engine, package, body, tables, folder
        self.spans = page_ends.spans_of(engine.long_rows)
        self.seconds_per_row = self.problem = None
        self.parts = self.windows = 0

    def open(self, name):
        os.mkdir(self.folder)
        for assumes in (True, False):
            joints = self.find_joints(assumes)
            if joints is None:
                self.problem = "page-starts"
                return None
            path = os.path.join(self.folder, name)
            self.package.write(path, self.document(joints))
            document = self.engine.load_refreshed(path)
            try:
                is_right = self.is_as_found(document, joints)
            except BaseException:
                self.engine.close(document)
                raise
            if is_right:
                self.parts = sum(len(found) + 1 for found in joints)
                return document
            self.engine.close(document)
            os.unlink(path)
            self.problem = "unequal"
            if not self.has_assumed:
                return None
        return None

    def document(self, joints):
        """The complete document, with each long table in parts."""
        xml, pieces, position = self.body.xml, [], 0
        for table, found in zip(self.tables, joints):
            starts = [0, *(joint.row for joint in found), table.body_rows]
            parts = [table.part(start, end) for start, end in zip(starts, starts[1:])]
            pieces += [xml[position:table.table.start], table.separator().join(parts)]
            position = table.table.end
        pieces.append(xml[position:])
        return b"".join(pieces)

    def find_joints(self, assumes):
        """The joints of each table; None if a table has too few page starts.

        With `assumes`, similar rows are predicted, and columns that do not affect row heights are not laid out.
        """
        self.has_assumed, self.columns = False, {}
        found, lead = [], table_lead.Lead(self.body, None, 0)
        for table in self.tables:
            joints = self.joints_of(table, lead, assumes)
            if joints is None:
                return None
            found.append(joints)
            lead = table_lead.Lead(self.body, table, joints[-1].row if joints else None, lead)
        return found

    def joints_of(self, table, lead, assumes):
        spans = self.spans
        joints, start, count, deciding = [], 0, spans.first, None
        while table.body_rows - start > (spans.following if joints else spans.first) * 5 // 4:
            end = min(start + count, table.body_rows)
            place = (lead.before(table) if start == 0 else b"", lead.section(table, start == 0), start, end)
            if assumes and count == spans.first and not joints:
                found, pattern, deciding, predicted = self.measure_first(table, place)
                if pattern is not None and self.has_like_rows(table, place[1], found[-1]):
                    self.has_assumed = True
                    return found + predict(table, found[-1], pattern, spans.predicted)
                if predicted is not None:
                    self.has_assumed = True
                    return found + predicted
            else:
                found = self.measure(table, place, deciding)
            if not found:
                count *= 2
                if count > page_ends.MAX_ROWS_AT_ONCE or end == table.body_rows:
                    return None
                continue
            joints += found
            start, count = found[-1].row, spans.following
        return joints

    def measure_first(self, table, place):
        """Returns joints and at most one of: rows per page if pages are alike, deciding columns, all other joints."""
        with self.window(table, place) as layout:
            found, pattern = page_ends.find_joints(layout, table, *place[2:], self.spans.part, True)
            predicted = self.predict_heights(layout, table, place, found) if found and pattern is None else None
            deciding = table.find_deciding_columns() if found and pattern is None and predicted is None else None
            if deciding is None:
                return found, pattern, None, predicted
            layout.column = deciding.kept[0]
            found, _ = page_ends.find_joints(layout, table, *place[2:], self.spans.part, False)
        if self.measure(table, place, deciding) != found:
            deciding = None
        else:
            self.has_assumed = True
        self.columns[table] = layout.column
        return found, None, deciding, None

    def predict_heights(self, layout, table, place, found):
        """The joints after those `found`, from row heights computed outside LibreOffice; None without a result."""
        _, section, start, end = place
        if len(table.joints) < table.body_rows or len(section) > MAX_SECTION_BYTES:
            return None
        anchor = page_ends.find_anchor(layout, range(end - start), found[-1].row - start)
        if anchor is None:
            return None
        row, page = anchor
        starts = [
            {"row": start + row, "pages": 0, "gap": 0},
            {"row": found[-1].row, "pages": layout.start(found[-1].row - start)[0] - page, "gap": found[-1].gap}]
        request = {
            "start": table.table.start, "end": table.table.end, "headerRows": table.header_rows, "section": section.decode(),
            "found": starts, "partRows": self.spans.computed}
        predicted = self.engine.predict(**request, measured=[])
        measured = self.measure_uncertain(table, section, predicted["uncertain"]) if predicted else None
        if measured:
            predicted = self.engine.predict(**request, measured=measured)
        return [page_ends.Joint(**joint) for joint in predicted["joints"]] if predicted else None

    def measure_uncertain(self, table, section, rows):
        """The rows that are higher or lower in LibreOffice, among those whose heights are too close to call."""
        measured, rounds = [], UNCERTAIN_ROUNDS
        while rows and rounds > 0:
            # The height of the last row requires the row after it.
            numbers = [row["row"] for row in (*rows, rows[0])]
            part = table.part(numbers[0], numbers[0] + 1, only=numbers, breaks=False)
            with self.open_rows(table, part, section, len(numbers)) as layout:
                found = [] if layout is None else list(
                    page_ends.find_other_heights(layout, [row["height"] for row in rows]))
            measured += [{"row": numbers[index], "height": height} for index, height in found if height is not None]
            rows, rounds = [rows[index] for index, height in found if height is None], rounds - 1
        return measured

    def measure(self, table, place, deciding):
        with self.window(table, place, deciding) as layout:
            if layout is not None and deciding is None:
                layout.column = self.columns.get(table, 0)
            return page_ends.find_joints(layout, table, *place[2:], self.spans.part, False)[0]

    @contextlib.contextmanager
    def window(self, table, place, deciding=None):
        """The layout of some rows after the content before them, open within `with`."""
        opener, section, start, end = place
        part = opener + table.part(start, end, breaks=False, deciding=deciding)
        before = self.engine.cpu_seconds()
        with self.open_rows(table, part, section, end - start, deciding) as layout:
            if deciding is None:
                self.seconds_per_row = (self.engine.cpu_seconds() - before) / (end - start)
            yield layout

    def has_like_rows(self, table, section, joint):
        """Whether the rows with the most text are as high as those that were laid out."""
        if joint.pitch is None:
            return False
        lengths = table.row_lengths()
        longest = sorted(sorted(range(len(lengths)), key=lengths.__getitem__)[-page_ends.LONGEST_ROWS:])
        part = table.part(joint.row, joint.row + 1, only=longest, breaks=False)
        heights = [table_layout.to_twips(joint.pitch)] * (len(longest) - 1)
        with self.open_rows(table, part, section, len(longest)) as layout:
            return layout is not None and all(
                height is None for _, height in page_ends.find_other_heights(layout, heights))

    @contextlib.contextmanager
    def open_rows(self, table, content, section, rows, deciding=None):
        """A document with some of the rows, open within `with`. Yields the layout of its last table."""
        # One window may be open within another.
        self.windows += 1
        body, path = self.body, os.path.join(self.folder, "window-%d.docx" % self.windows)
        end = b"<%sp/>" % body.prefix
        self.package.write(path, body.xml[:body.start] + content + end + section + body.xml[body.end:])
        document = self.engine.load(path)
        try:
            found = find_table(reversed(list(body_tables(document))), table.header_rows + rows)
            # Lays out all pages, so that positions can be cached.
            document.getCurrentController().PageCount  # noqa: B018
            columns = table_layout.MAX_COLUMNS if deciding is None else len(deciding.kept)
            yield None if found is None else table_layout.Layout(
                document.getCurrentController().getViewCursor(), found, table.header_rows, columns=columns)
        finally:
            self.engine.close(document)
            os.unlink(path)

    def is_as_found(self, document, joints):
        document.getCurrentController().PageCount  # noqa: B018
        pairs = self.pairs_of_parts(document, joints)
        if pairs is None:
            return False
        # Unless controllers are locked, each step of the cursor traverses the whole layout. Positions need that, page
        # numbers do not.
        document.lockControllers()
        try:
            if not all(page_ends.is_on_pages(*parts, joint, start) for *parts, joint, start, _ in pairs):
                return False
        finally:
            document.unlockControllers()
        return all(page_ends.is_joint(*pair) for pair in pairs)

    def pairs_of_parts(self, document, joints):
        """The parts before and after each joint, with their first and last row; None if a part is missing."""
        pairs, tables, cursor = [], body_tables(document), document.getCurrentController().getViewCursor()
        for table, found in zip(self.tables, joints):
            starts = [0, *(joint.row for joint in found), table.body_rows]
            layouts = []
            for start, end in zip(starts, starts[1:]):
                part = find_table(tables, table.header_rows + end - start)
                if part is None:
                    return None
                layouts.append(table_layout.Layout(cursor, part, table.header_rows, self.columns.get(table, 0)))
            pairs += zip(layouts, layouts[1:], found, starts, starts[2:])
        return pairs


def body_tables(document):
    """Tables of the document in order; without those in cells if there are many."""
    tables = document.getTextTables()
    if tables.getCount() <= TABLES_TO_LIST:
        yield from (tables.getByIndex(number) for number in range(tables.getCount()))
        return
    elements = document.getText().createEnumeration()
    while elements.hasMoreElements():
        element = elements.nextElement()
        if element.supportsService("com.sun.star.text.TextTable"):
            yield element


def find_table(tables, rows):
    """The next table with this number of rows, or None."""
    return next((table for table in tables if table.getRows().getCount() == rows), None)


def predict(table, joint, pattern, part_rows):
    """The other joints of a table in which each page holds the same number of rows."""
    pages = max(1, part_rows // pattern)
    # The last part has at least two pages, because Writer draws the outer border above the last page of a table without
    # inner borders.
    rows = range(joint.row + pages * pattern, table.body_rows - pattern, pages * pattern)
    return [joint._replace(row=row, pages=pages) for row in rows]

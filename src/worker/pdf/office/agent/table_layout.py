"""The positions of one table's rows in an open document, as laid out by LibreOffice."""
import re

MAX_COLUMNS = 64
# Writer reports positions in 1/100 mm, converted from twips, its own unit.
HUNDREDTHS_PER_TWIP = 2_540 / 1_440
TOLERANCE = 3
CELL_NAME = re.compile(r"[A-Za-z]+([0-9]+)")


class Layout:
    """The positions of one table's rows in an open document whose layout is complete: those of the text in one column.

    `columns` is the number of cells in each row, or its maximum.
    """

    def __init__(self, cursor, table, header_rows, column=0, columns=MAX_COLUMNS):
        self.cursor = cursor
        self.table, self.header_rows, self.column, self.columns = table, header_rows, column, columns
        self.name = table.Name
        # Creating a LibreOffice object takes as long as laying out two rows, so each cell and position is requested
        # only once.
        self.cells, self.places, self.first = {}, {}, None

    def cell(self, column, row):
        """A cell by its column and row, counting heading rows."""
        found = self.cells.get((column, row))
        if found is None:
            found = self.cells[column, row] = self.table.getCellByPosition(column, row)
        return found

    def page_of(self, row):
        """Page of a body row's first line. Unlike its position, it can be read while controllers are locked."""
        place = self.places.get((self.column, row + self.header_rows))
        if place is not None:
            return place[0]
        return self.page_of_cell(self.column, row + self.header_rows)

    def first_page(self):
        """Page of the table's first row."""
        if self.first is None:
            self.first = self.page_of_cell(0, 0)
        return self.first

    def page_of_cell(self, column, row):
        self.go_to_start(column, row)
        return self.cursor.getPage()

    def go_to_start(self, column, row):
        # Avoids a separate range, which would be one more object. The cursor selects the whole cell, then goes to its
        # start.
        self.cursor.gotoRange(self.cell(column, row), False)
        self.cursor.collapseToStart()

    def start(self, row):
        """Page and vertical position of a body row's first line."""
        return self.start_of_cell(self.column, row + self.header_rows)

    def start_of_cell(self, column, row):
        place = self.places.get((column, row))
        if place is None:
            self.go_to_start(column, row)
            place = self.places[column, row] = (self.cursor.getPage(), self.cursor.getPosition().Y)
        return place

    def is_as_deep(self, row, column, depth):
        """Whether the text in a body row's cell extends down as far as expected, from its first to its last line."""
        row += self.header_rows
        self.cursor.gotoRange(self.cell(column, row), False)
        self.cursor.collapseToEnd()
        return is_near(self.cursor.getPosition().Y - self.start_of_cell(column, row)[1], depth)

    def rows_around(self, page):
        """The body rows of the last text before a page and of the first text on it; None for text outside body rows."""
        self.cursor.jumpToPage(page - 1)
        self.cursor.jumpToEndOfPage()
        last = self.row_of_cursor()
        self.cursor.jumpToPage(page)
        self.cursor.jumpToStartOfPage()
        return last, self.row_of_cursor()

    def row_of_cursor(self):
        cell = self.cursor.Cell
        name = cell and CELL_NAME.fullmatch(cell.CellName)
        if not name or self.cursor.TextTable.Name != self.name:
            return None
        row = int(name[1]) - 1 - self.header_rows
        return row if row >= 0 else None

    def ends_before(self, row, page):
        """Whether all text of a body row is on pages before `page`."""
        for column in range(self.columns):
            try:
                cell = self.cell(column, row + self.header_rows)
            except Exception:  # noqa: BLE001  The type differs between versions; it means that there is no such cell.
                return True
            if cell is None:
                return True
            self.cursor.gotoRange(cell, False)
            self.cursor.collapseToEnd()
            if self.cursor.getPage() >= page:
                return False
        return True


def to_twips(hundredths):
    return round(hundredths / HUNDREDTHS_PER_TWIP)


def is_near(one, other):
    return abs(one - other) <= TOLERANCE

"""Splits a long table of the body into separate tables that look like its pages."""
import bisect

import deciding_columns
import table_styles
import word_body

# Takes no space, because Writer gives a hidden paragraph no height. Without a paragraph between them, two tables merge.
SEPARATOR = (
    b'<PREFIX:p><PREFIX:pPr><PREFIX:suppressLineNumbers/><PREFIX:spacing PREFIX:before="0" PREFIX:after="0" '
    b'PREFIX:line="1" PREFIX:lineRule="exact"/><PREFIX:rPr><PREFIX:vanish/><PREFIX:sz PREFIX:val="2"/></PREFIX:rPr>'
    b"</PREFIX:pPr></PREFIX:p>")
MARKS = rb"<PREFIX:(?:" + word_body.MARKERS + rb")\b" + word_body.ATTRIBUTES + rb"/>"
OFF = (b"0", b"false", b"off")
# ST_TblLook (17.18.93): conditional formats of the first and the last row.
LOOK_FIRST_ROW, LOOK_LAST_ROW = 0x20, 0x40
MAX_HEADER_ROWS = 20


class LongTable:
    """A table of the body that is written in parts. `problem` is the reason why it must stay whole, or None."""

    def __init__(self, body, table, styles):
        self.body, self.xml, self.table = body, body.xml, table
        self.number, self.rows = table.number, join_markers(body, table)
        self.problem = None if self.rows else "rows"
        if not self.problem:
            self.head = self.xml[table.start:self.rows[0][0]]
            self.tail = self.xml[self.rows[-1][1]:table.end]
            self.problem = self.find_problem()
        if not self.problem:
            self.header_rows = self.count_header_rows()
            self.body_rows = len(self.rows) - self.header_rows
            self.joints = self.find_joints()
            style = self.find(rb"""<PREFIX:tblStyle\s[^>]*?PREFIX:val\s*=\s*["']([^"']*)""", self.head)
            self.borders = styles.inner_borders(style[1] if style else None)
            self.banded = style[1] if style and styles.has_bands(style[1]) else None

    def find(self, text, xml):
        return self.body.pattern(text).search(xml)

    def has(self, text, start=None, end=None):
        start, end = self.table.start if start is None else start, self.table.end if end is None else end
        return self.body.pattern(text).search(self.xml, start, end) is not None

    def find_problem(self):
        if self.find(rb"<PREFIX:tblpPr\b", self.head):
            return "floating"
        if not self.find(rb"<PREFIX:tblPr\b", self.head) or not self.find(rb"<PREFIX:tblGrid\b", self.head):
            return "properties"
        section = self.body.section_properties(self.body.section_of(self.table.end))
        if self.find(rb"""<PREFIX:cols\s[^>]*?PREFIX:num\s*=\s*["']0*([2-9]|1\d)""", section):
            return "columns"
        if self.find(rb"""<PREFIX:textDirection\s[^>]*?PREFIX:val\s*=\s*["'](tb|bt|rl)""", section):
            return "direction"
        if self.is_beside_table():
            return "adjacent"
        return None

    def is_beside_table(self):
        """Whether no paragraph separates it from another table. Writer merges such tables."""
        closed = rb"(?:</PREFIX:tbl\s*>|</PREFIX:sdt\s*>)(?:\s|" + MARKS + rb")*\Z"
        before = self.body.pattern(closed).search(self.xml, max(0, self.table.start - 4096), self.table.start)
        after = self.body.pattern(rb"(?:\s|" + MARKS + rb")*<PREFIX:(?:tbl|sdt)\b").match(self.xml, self.table.end)
        return before is not None or after is not None

    def count_header_rows(self):
        count = 0
        opening = self.body.pattern(rb"<PREFIX:tr(?:\s" + word_body.ATTRIBUTES + rb")?>")
        properties = self.body.pattern(
            rb"\s*(?:<PREFIX:tblPrEx\b.*?</PREFIX:tblPrEx\s*>\s*)?<PREFIX:trPr\b(.*?)</PREFIX:trPr\s*>")
        mark = self.body.pattern(rb"""<PREFIX:tblHeader\b(?:\s[^>]*?PREFIX:val\s*=\s*["'](\w+)["'])?[^>]*>""")
        for start, end in self.rows[:MAX_HEADER_ROWS]:
            opened = opening.search(self.xml, start, end)
            found = opened and properties.match(self.xml, opened.end(), end)
            found = found and mark.search(found[1])
            if not found or found[1] in OFF:
                break
            count += 1
        return count

    def find_joints(self):
        """Indexes of body rows that may begin a part, because nothing from the row before extends into them."""
        merged, open_fields = set(), set()
        if self.has(rb"<PREFIX:vMerge\b"):
            pattern = self.body.pattern(rb"""<PREFIX:vMerge\b(?![^>]*PREFIX:val\s*=\s*["']restart)""")
            merged = self.rows_of(pattern)
        if self.has(rb"<PREFIX:fldChar\b"):
            pattern = self.body.pattern(rb"""<PREFIX:fldChar\s[^>]*?PREFIX:fldCharType\s*=\s*["'](begin|end)""")
            starts, depths = [row[0] for row in self.rows], [0] * len(self.rows)
            for match in pattern.finditer(self.xml, self.rows[0][0], self.rows[-1][1]):
                depths[bisect.bisect_right(starts, match.start()) - 1] += 1 if match[1] == b"begin" else -1
            depth = 0
            for index, change in enumerate(depths):
                if depth != 0:
                    open_fields.add(index)
                depth += change
        blocked = merged | open_fields
        header = self.header_rows
        return [index for index in range(self.body_rows) if index + header not in blocked]

    def rows_of(self, pattern):
        starts = [row[0] for row in self.rows]
        found = pattern.finditer(self.xml, self.rows[0][0], self.rows[-1][1])
        return {bisect.bisect_right(starts, match.start()) - 1 for match in found}

    def count_cells(self):
        return self.xml.count(b"tc>", self.table.start, self.table.end)

    def row_lengths(self):
        return [end - start for start, end in self.rows[self.header_rows:]]

    def part(self, start, end, only=None, breaks=True, deciding=None):
        """A table of the body rows from `start` to `end` below the header rows, on a new page unless it is the first.

        `only` selects rows instead of taking all of them. `deciding` has the columns to take; without it, all are
        taken.
        """
        is_first, is_last = start == 0, end >= self.body_rows
        rows = self.rows[self.header_rows:]
        first = self.rows[:self.header_rows]
        texts = [self.xml[a:b] for a, b in first]
        if deciding is not None:
            texts = deciding.rows[:self.header_rows] + deciding.rows[self.header_rows + start:self.header_rows + end]
        elif only is None:
            texts.append(self.xml[rows[start][0]:rows[end - 1][1]])
        else:
            texts.extend(self.xml[rows[index][0]:rows[index][1]] for index in only)
        content = b"".join(texts)
        if breaks and not is_first:
            content = self.break_before(content)
        head = self.part_head(self.head if deciding is None else deciding.head, is_first, is_last)
        return self.shift_bands(head, start) + content + self.tail

    def find_deciding_columns(self):
        return deciding_columns.find_deciding_columns(self.body, self.rows, self.head)

    def shift_bands(self, head, start):
        # The first row is not part of a band if it has its own format, which later parts without heading rows do not
        # use.
        has_own_first_row = self.header_rows == 0 and start > 0 and self.has_first_row_format()
        if self.banded is None or (start + has_own_first_row) % 2 == 0:
            return head
        style = self.find(rb"""<PREFIX:tblStyle\s[^>]*?PREFIX:val\s*=\s*["'][^"']*""", head)
        return head[:style.end()] + table_styles.SHIFTED + head[style.end():]

    def has_first_row_format(self):
        look = self.find(rb"<PREFIX:tblLook\b[^>]*>", self.head)
        if look is None:
            return False
        named = self.find(rb"""PREFIX:firstRow\s*=\s*["'](\w+)""", look[0])
        value = self.find(rb"""PREFIX:val\s*=\s*["']([0-9A-Fa-f]{1,8})["']""", look[0])
        return named[1] not in OFF if named else bool(value and int(value[1], 16) & LOOK_FIRST_ROW)

    def break_before(self, rows):
        """Writer moves a table to a new page if its first paragraph requests it."""
        pattern = self.body.pattern(
            rb"<PREFIX:p(?:\s" + word_body.ATTRIBUTES + rb")?(/?)>(\s*<PREFIX:pPr(?:\s[^>]*)?(/?)>"
            rb"(\s*<PREFIX:pStyle\s[^>]*/>)?(\s*<PREFIX:keepNext\b[^>]*/>)?(\s*<PREFIX:keepLines\b[^>]*/>)?)?")
        match = pattern.search(rows)
        mark = self.named(b"<PREFIX:pageBreakBefore/>")
        if match is None:
            return rows
        if match[1] == b"/":
            paragraph = self.named(b"<PREFIX:pPr>") + mark + self.named(b"</PREFIX:pPr></PREFIX:p>")
            return rows[:match.end() - 2] + b">" + paragraph + rows[match.end():]
        if match[2] is None:
            return rows[:match.end()] + self.named(b"<PREFIX:pPr>") + mark + self.named(b"</PREFIX:pPr>") + rows[match.end():]
        if match[3] == b"/":
            return rows[:match.end() - 2] + b">" + mark + self.named(b"</PREFIX:pPr>") + rows[match.end():]
        return rows[:match.end()] + mark + rows[match.end():]

    def part_head(self, head, is_first, is_last):
        """Properties of the table, without those that apply to its very first and last row."""
        head = self.body.pattern(rb"<PREFIX:tblPrChange\b.*?</PREFIX:tblPrChange\s*>").sub(b"", head)
        outer = [
            side for side, is_cut in ((b"top", not is_first and self.header_rows == 0), (b"bottom", not is_last)) if is_cut]
        if outer:
            head = self.set_borders(head, outer)
        hidden = (0 if is_first or self.header_rows > 0 else LOOK_FIRST_ROW) | (0 if is_last else LOOK_LAST_ROW)
        return self.hide_conditional_formats(head, hidden)

    def set_borders(self, head, sides):
        borders = self.find(rb"<PREFIX:tblBorders\b[^>]*?(?:/>|>(.*?)</PREFIX:tblBorders\s*>)", head)
        own = {}
        if borders and borders[1]:
            for match in self.body.pattern(rb"<PREFIX:(\w+)\b[^>]*?(?:/>|></PREFIX:\1\s*>)").finditer(borders[1]):
                own[match[1]] = match[0]
        inner = own.get(b"insideH", self.borders)
        for side in sides:
            own[side] = self.rename(inner, side) if inner else self.named(b'<PREFIX:%s PREFIX:val="nil"/>' % side)
        order = (b"top", b"left", b"start", b"bottom", b"right", b"end", b"insideH", b"insideV")
        text = self.named(b"<PREFIX:tblBorders>") + b"".join(own[name] for name in order if name in own) + self.named(
            b"</PREFIX:tblBorders>")
        if borders:
            return head[:borders.start()] + text + head[borders.end():]
        # CT_TblPr is a sequence: borders come after these elements.
        before = self.body.pattern(
            rb"<PREFIX:(?:tblStyle|tblpPr|tblOverlap|bidiVisual|tblStyleRowBandSize|tblStyleColBandSize|tblW|jc|"
            rb"tblCellSpacing|tblInd)\b[^>]*/>")
        opened = self.find(rb"<PREFIX:tblPr\b[^>]*?(/?)>", head)
        if opened[1] == b"/":
            return head[:opened.end() - 2] + b">" + text + self.named(b"</PREFIX:tblPr>") + head[opened.end():]
        places = [match.end() for match in before.finditer(head)]
        place = max(places, default=opened.end())
        return head[:place] + text + head[place:]

    def rename(self, element, name):
        return self.body.pattern(rb"<PREFIX:\w+").sub(self.named(b"<PREFIX:%s" % name), element, count=1).replace(
            self.named(b"</PREFIX:insideH"), self.named(b"</PREFIX:%s" % name))

    def hide_conditional_formats(self, head, hidden):
        look = self.find(rb"<PREFIX:tblLook\b[^>]*>", head)
        if not hidden or look is None:
            return head
        text = look[0]
        value = self.find(rb"""PREFIX:val\s*=\s*["']([0-9A-Fa-f]{1,8})["']""", text)
        if value:
            text = text[:value.start(1)] + b"%04X" % (int(value[1], 16) & ~hidden) + text[value.end(1):]
        for bit, name in ((LOOK_FIRST_ROW, b"firstRow"), (LOOK_LAST_ROW, b"lastRow")):
            if hidden & bit:
                text = self.body.pattern(rb"""(PREFIX:%s\s*=\s*["'])\w+""" % name).sub(rb"\g<1>0", text)
        return head[:look.start()] + text + head[look.end():]

    def named(self, text):
        return text.replace(b"PREFIX:", self.body.prefix)

    def separator(self):
        return self.named(SEPARATOR)


def join_markers(body, table):
    """Rows with preceding bookmark markers. Empty if anything else is between rows."""
    markers = body.pattern(rb"(?:\s|" + MARKS + rb")*\Z")
    closing = body.pattern(rb"(?:\s|" + MARKS + rb")*</PREFIX:tbl\s*>\Z")
    rows, before = [], None
    for start, end in table.rows:
        if before is not None and start != before:
            if not markers.match(body.xml[before:start]):
                return []
            start = before
        rows.append((start, end))
        before = end
    if rows and not closing.match(body.xml[before:table.end]):
        return []
    return rows

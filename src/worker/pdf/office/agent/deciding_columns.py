"""Finds the columns of a long table that decide its row heights. The others need no layout to find its page starts.

Writer's time for a table is proportional to its cells. A number or an amount of one line is never higher than the text
next to it. That rows without these columns have the same heights is only an assumption: a part of the table is laid out
both ways, and the result is verified.
"""
import re

import word_body

# Elements of rows with nothing but text; all others may change a row's height or its page.
PLAIN = frozenset((
    b"tr trPr trHeight cantSplit tblHeader tc tcPr tcW tcBorders top left start bottom right end insideH insideV shd vAlign "
    b"p pPr pStyle jc spacing ind rPr rStyle rFonts b bCs i iCs u color sz szCs lang r t").split())
# Wider than the average character of most fonts up to 13 points, and the usual margins of a cell.
CHARACTER_TWIPS, MARGIN_TWIPS = 150, 230
MAX_COLUMNS = 63


class DecidingColumns:
    """The columns `kept`, in order, and the rows and the properties of the table with these columns only."""

    def __init__(self, kept, rows, head):
        self.kept, self.rows, self.head = kept, rows, head


def find_deciding_columns(body, rows, head):
    """`rows` are (start, end) of all rows, `head` is the content before them. None if all columns are needed."""
    xml, prefix = body.xml, re.escape(body.prefix)
    whole = xml[rows[0][0]:rows[-1][1]]
    names = set(re.findall(rb"<(?!/)([^\s/>]+)", whole))
    if not names <= {body.prefix + name for name in PLAIN}:
        return None
    widths = [int(width) for width in re.findall(rb"<%sgridCol\s[^>]*?%sw=\"(\d{1,5})\"" % (prefix, prefix), head)]
    table_width = re.findall(rb"<%stblW\s[^>]*>" % prefix, head)
    if not 1 < len(widths) <= MAX_COLUMNS or len(table_width) != 1 or b'type="dxa"' not in table_width[0]:
        return None
    cell = re.compile(rb"<%stc>(.*?)</%stc>" % (prefix, prefix), re.DOTALL)
    width = re.compile(rb"<%stcW\s(?=[^>]*%stype=\"dxa\")[^>]*?%sw=\"(\d{1,5})\"" % (prefix, prefix, prefix))
    text = re.compile(rb"<%st(?:\s[^>]*)?>([^<]*)" % prefix)
    paragraph = re.compile(rb"</%sp>|<%sp(?:\s[^>]*)?/>" % (prefix, prefix))
    kept, cells_of_rows = set(), []
    for start, end in rows:
        cells = list(cell.finditer(xml, start, end))
        if len(cells) != len(widths):
            return None
        cells_of_rows.append([match.span() for match in cells])
        for index, match in enumerate(cells):
            own = width.search(match[1])
            if own is None or int(own[1]) != widths[index]:
                return None
            if index not in kept:
                length = sum(map(len, text.findall(match[1])))
                if length * CHARACTER_TWIPS + MARGIN_TWIPS > widths[index] or len(paragraph.findall(match[1])) > 1:
                    kept.add(index)
    if len(kept) == len(widths):
        return None
    columns = sorted(kept) or [0]
    return DecidingColumns(columns, [
        xml[start:cells[0][0]] + b"".join(xml[slice(*cells[index])] for index in columns) + xml[cells[-1][1]:end]
        for (start, end), cells in zip(rows, cells_of_rows)], narrow(body, head, [widths[index] for index in columns]))


def narrow(body, head, widths):
    """Properties of a table with columns of these widths in twips."""
    grid = b"".join(b'<%sgridCol %sw="%d"/>' % (body.prefix, body.prefix, width) for width in widths)
    head = body.pattern(rb"(<PREFIX:tblGrid\b[^>]*>).*?(</PREFIX:tblGrid\s*>)").sub(
        lambda match: match[1] + grid + match[2], head, count=1)
    return body.pattern(rb"<PREFIX:tblW\b" + word_body.ATTRIBUTES + rb"/>").sub(
        b'<%stblW %sw="%d" %stype="dxa"/>' % (body.prefix, body.prefix, sum(widths), body.prefix), head, count=1)

"""The body of a Word document, by byte offsets: sections, tables and their rows (ISO/IEC 29500-1, 17.4)."""
import re

MAIN_NAMESPACES = (
    b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    b"http://purl.oclc.org/ooxml/wordprocessingml/main",
)
# "<" is not allowed in a tag, which bounds the search.
ATTRIBUTES = rb"""(?:[^<>"']|"[^"<]*"|'[^'<]*')*?"""
# Elements that may contain tables or rows. A table inside one of them is not a child of the body.
CONTAINERS = rb"tbl|sdt|customXml|ins|del|moveFrom|moveTo|txbxContent|sectPrChange"
# Elements allowed between rows, which belong to the next row.
MARKERS = (
    rb"bookmarkStart|bookmarkEnd|commentRangeStart|commentRangeEnd|permStart|permEnd|proofErr|"
    rb"moveFromRangeStart|moveFromRangeEnd|moveToRangeStart|moveToRangeEnd"
)


class Unreadable(Exception):
    """The markup is unusual: an encoding other than UTF-8, or a namespace that is not declared on the first element."""


class Table:
    """A child of the body. `rows` are (start, end); `problem` is the reason why it cannot be split, or None."""

    def __init__(self, number, start):
        self.number = number
        self.start = start
        self.end = start
        self.rows = []
        self.problem = None


class Body:
    """The parts of document.xml that matter for splitting tables."""

    def __init__(self, xml):
        self.xml = xml
        self.prefix = find_prefix(xml)
        self.tables = []
        self.sections = []
        self.start = self.end = -1
        self.scan()
        if self.start < 0 or self.end < self.start:
            raise Unreadable("no body")
        if not self.sections or xml[self.sections[-1][1]:self.end].strip():
            # A last section without properties has Word's defaults.
            self.sections.append((self.end, self.end))

    def pattern(self, text, flags=re.DOTALL):
        """A regular expression in which `PREFIX:` stands for the prefix of the Word namespace."""
        return re.compile(text.replace(b"PREFIX:", re.escape(self.prefix)), flags)

    def scan(self):
        token = self.pattern(
            rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<(?P<close>/?)(?:PREFIX:(?P<name>body|tr|sectPr|" + CONTAINERS + rb")"
            rb"|[\w.-]+:(?P<other>AlternateContent))(?=[\s/>])" + ATTRIBUTES + rb"(?P<empty>/?)>")
        depth, table, section, row = 0, None, None, None
        for match in token.finditer(self.xml):
            name, is_close, is_empty = match["name"] or match["other"], bool(match["close"]), bool(match["empty"])
            if name is None or is_empty and name != b"sectPr":
                continue
            if name == b"body":
                self.start, self.end = (self.start, match.start()) if is_close else (match.end(), self.end)
            elif name == b"sectPr":
                if depth == 0 and is_empty:
                    self.sections.append((match.start(), match.end()))
                elif depth == 0 and not is_close:
                    section = match.start()
                elif depth == 0 and section is not None:
                    self.sections.append((section, match.end()))
            elif name == b"tr":
                if depth == 1 and table is not None and not is_close:
                    row = match.start()
                elif depth == 1 and table is not None and row is not None:
                    table.rows.append((row, match.end()))
                    row = None
            elif is_close:
                depth -= 1
                if depth == 0 and table is not None and name == b"tbl":
                    table.end = match.end()
                    table = None
            else:
                if depth == 0 and name == b"tbl":
                    table = Table(len(self.tables) + 1, match.start())
                    self.tables.append(table)
                depth += 1

    def section_of(self, offset):
        """The index of the section that contains the offset. A section's properties follow its content."""
        return next(index for index, (start, _) in enumerate(self.sections) if start >= offset)

    def later_section(self, index):
        """Properties for a page other than the first one of its section."""
        title = self.pattern(rb"<PREFIX:titlePg\b" + ATTRIBUTES + rb"/>")
        return title.sub(b"", self.section_properties(index))

    def section_properties(self, index):
        """Properties including the headers and footers that a section inherits from earlier ones."""
        reference = self.pattern(
            rb"<PREFIX:(headerReference|footerReference)\b(" + ATTRIBUTES + rb")(?:/>|>\s*</PREFIX:\1\s*>)")
        kind = self.pattern(rb"""\bPREFIX:type\s*=\s*["'](\w+)""")
        inherited = {}
        for start, end in self.sections[: index + 1]:
            own = {}
            for match in reference.finditer(self.xml, start, end):
                found = kind.search(match[2])
                own[(match[1], found[1] if found else b"default")] = match[0]
            missing = [text for key, text in inherited.items() if key not in own]
            inherited.update(own)
        properties = self.xml[start:end]
        head = self.pattern(rb"<PREFIX:sectPr\b" + ATTRIBUTES + rb"(/?)>").match(properties)
        if head is None:
            return b"<%ssectPr>%s</%ssectPr>" % (self.prefix, b"".join(missing), self.prefix)
        if head[1] == b"/":
            return head[0][:-2] + b">" + b"".join(missing) + b"</" + self.prefix + b"sectPr>"
        return head[0] + b"".join(missing) + properties[head.end():]


def find_prefix(xml):
    """The prefix of the Word namespace with its colon; empty for the default namespace."""
    root = re.match(rb"(?:\xef\xbb\xbf)?\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*)*<(" + ATTRIBUTES + rb")>", xml, re.DOTALL)
    encoding = re.match(rb"""(?:\xef\xbb\xbf)?<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)""", xml)
    if root is None or encoding and encoding[1].lower() not in (b"utf-8", b"us-ascii"):
        raise Unreadable("encoding")
    for match in re.finditer(rb"""\sxmlns(?::([\w.-]+))?\s*=\s*["']([^"']*)["']""", root[1]):
        if match[2] in MAIN_NAMESPACES:
            return match[1] + b":" if match[1] else b""
    raise Unreadable("namespace")

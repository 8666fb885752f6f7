"""What the parts of a table take from its style (ISO/IEC 29500-1, 17.7.6): borders between rows, and colour bands."""
import re

import word_body

MAX_PARENTS = 50
# Writer counts bands from the first row of each table. After an odd number of rows the two bands are swapped.
SHIFTED = b"-shifted"
BANDS = {b"band1Horz": b"band2Horz", b"band2Horz": b"band1Horz"}


class TableStyles:
    def __init__(self, xml):
        self.styles, self.texts, self.default, self.prefix = {}, {}, None, b""
        if xml:
            self.read(xml)

    def read(self, xml):
        prefix = self.prefix = word_body.find_prefix(xml)
        named = re.escape(prefix)
        for match in re.finditer(rb"<" + named + rb"style\b([^>]*)>(.*?)</" + named + rb"style\s*>", xml, re.DOTALL):
            if not re.search(named + rb"""type\s*=\s*["']table["']""", match[1]):
                continue
            identifier = re.search(named + rb"""styleId\s*=\s*["']([^"']*)""", match[1])
            if identifier is None:
                continue
            # Formats of single rows follow and have their own borders.
            whole = re.split(rb"<" + named + rb"tblStylePr\b", match[2], maxsplit=1)[0]
            parent = re.search(rb"<" + named + rb"""basedOn\s[^>]*?""" + named + rb"""val\s*=\s*["']([^"']*)""", whole)
            inner = re.search(rb"<" + named + rb"insideH\b[^>]*?(?:/>|></" + named + rb"insideH\s*>)", whole)
            self.texts[identifier[1]] = match[0]
            self.styles[identifier[1]] = (parent[1] if parent else None, inner[0] if inner else None)
            if re.search(named + rb"""default\s*=\s*["'](1|true|on)""", match[1]):
                self.default = identifier[1]

    def inner_borders(self, name):
        """The `insideH` element of a style, or None. Without a name, that of the default style."""
        name = self.default if name is None else name
        for _ in range(MAX_PARENTS):
            parent, inner = self.styles.get(name, (None, None))
            if inner is not None or parent is None:
                return inner
            name = parent
        return None

    def has_bands(self, name):
        return any(BANDS.keys() & set(re.findall(rb"band[12]Horz", self.texts[each])) for each in self.chain(name))

    def chain(self, name):
        """The style and the styles it is based on."""
        found = []
        while name in self.styles and len(found) < MAX_PARENTS:
            found.append(name)
            name = self.styles[name][0]
        return found

    def shifted(self, names):
        """Copies of these styles, and of those they are based on, with the two bands swapped."""
        copies = {}
        for name in (each for style in names for each in self.chain(style)):
            text = re.sub(rb"band[12]Horz", lambda match: BANDS[match[0]], self.texts[name])
            text = re.sub(rb"""(\s%sdefault\s*=\s*["'])\w+""" % re.escape(self.prefix), rb"\g<1>0", text, count=1)
            for pattern in (rb"""styleId\s*=\s*["']""", rb"""name\s[^>]*?val\s*=\s*["']""", rb"""basedOn\s[^>]*?val\s*=\s*["']"""):
                text = re.sub(rb"(" + pattern + rb"""[^"']*)""", rb"\g<1>" + SHIFTED, text, count=1)
            copies[name] = text
        return b"".join(copies.values())

"""Borders between rows that a table takes from its style (ISO/IEC 29500-1, 17.7.6)."""
import re

import word_body

MAX_PARENTS = 50


class TableStyles:
    def __init__(self, xml):
        self.styles, self.default, self.prefix = {}, None, b""
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
            # Formats of single rows come later and have borders of their own.
            whole = re.split(rb"<" + named + rb"tblStylePr\b", match[2], maxsplit=1)[0]
            parent = re.search(rb"<" + named + rb"""basedOn\s[^>]*?""" + named + rb"""val\s*=\s*["']([^"']*)""", whole)
            inner = re.search(rb"<" + named + rb"insideH\b[^>]*?(?:/>|></" + named + rb"insideH\s*>)", whole)
            self.styles[identifier[1]] = (parent[1] if parent else None, inner[0] if inner else None)
            if re.search(named + rb"""default\s*=\s*["'](1|true|on)""", match[1]):
                self.default = identifier[1]

    def inner_borders(self, name):
        """The `insideH` element of a style, or None; without a name of the default style."""
        name = self.default if name is None else name
        for _ in range(MAX_PARENTS):
            parent, inner = self.styles.get(name, (None, None))
            if inner is not None or parent is None:
                return inner
            name = parent
        return None

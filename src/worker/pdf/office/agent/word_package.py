"""A .docx with a rewritten main part and otherwise unchanged parts."""
import re
import shutil
import zipfile

MAIN_TYPE = re.compile(rb"""<(?:[\w.-]+:)?Relationship\s([^>]*/officeDocument["'][^>]*)>""")
STYLES_TYPE = re.compile(rb"""<(?:[\w.-]+:)?Relationship\s([^>]*/styles["'][^>]*)>""")
TARGET = re.compile(rb"""\bTarget\s*=\s*["']/?([^"']+)""")
MAX_MAIN_BYTES = 128 * 1024 * 1024
LEAST_ROW_BYTES = 30


class WordPackage:
    def __init__(self, path):
        self.path, self.base, self.changed = path, None, {}
        with zipfile.ZipFile(path) as package:
            self.main = target_of(package.read("_rels/.rels"), MAIN_TYPE)
            self.size = package.getinfo(self.main).file_size

    def read_main(self, least_rows):
        """The main part, or None if it has too few rows or is too large for memory."""
        if not least_rows * LEAST_ROW_BYTES <= self.size <= MAX_MAIN_BYTES:
            return None
        with zipfile.ZipFile(self.path) as package:
            xml = package.read(self.main)
        return xml if xml.count(b"tr>") >= least_rows else None

    def add_styles(self, text, prefix):
        """Adds styles to the part that `read_styles` returned."""
        if text:
            whole = self.read_styles()
            place = whole.rindex(b"</" + prefix + b"styles")
            self.changed[self.styles] = whole[:place] + text + whole[place:]

    def read_styles(self):
        folder, _, name = self.main.rpartition("/")
        folder = folder + "/" if folder else ""
        with zipfile.ZipFile(self.path) as package:
            relations = "%s_rels/%s.rels" % (folder, name)
            if relations not in package.namelist() or not STYLES_TYPE.search(package.read(relations)):
                return b""
            target = target_of(package.read(relations), STYLES_TYPE)
            self.styles = target if target in package.namelist() else folder + target
            return package.read(self.styles) if self.styles in package.namelist() else b""

    def write(self, path, xml):
        """Writes the package with a different main part."""
        if self.base is None:
            self.base = path + ".base"
            self.write_base(self.base)
        shutil.copyfile(self.base, path)
        with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as package:
            package.writestr(self.main, xml)

    def write_base(self, path):
        with zipfile.ZipFile(self.path) as package, zipfile.ZipFile(path, "w", compresslevel=1) as base:
            for entry in package.infolist():
                if entry.filename != self.main:
                    content = self.changed.get(entry.filename) or package.read(entry)
                    base.writestr(entry.filename, content, entry.compress_type)


def target_of(relations, kind):
    found = kind.search(relations)
    target = found and TARGET.search(found[1])
    if not target:
        raise KeyError("no main part")
    return target[1].decode()

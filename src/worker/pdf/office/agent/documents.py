"""One document through LibreOffice: load as Word OOXML only, refresh, export as PDF."""
import os
import sys
import zipfile

import dates
import fields
import indexes
import long_tables
import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.io import IOException
from com.sun.star.lang import DisposedException, IllegalArgumentException
from com.sun.star.util import CloseVetoException

WARM_UP_ROUNDS = 3
# Imports like "MS Word 2007 XML", but without the Basic environment for macros.
IMPORT_FILTER = "Office Open XML Text"


class Budget:
    """The limits of one conversion, and the number of rows from which a table counts as long. `predict` computes the
    joints of a long table, or returns None. `table_parts` is the number of parts in which long tables were laid out.
    """

    def __init__(self, cpu_seconds, limit_seconds, long_rows, predict):
        self.cpu_seconds, self.limit_seconds, self.long_rows = cpu_seconds, limit_seconds, long_rows
        self.predict = predict
        self.table_parts = 0


class Refused(Exception):
    """A healthy LibreOffice could not load or store the document. `pages` is its length if it was loaded."""

    def __init__(self, stage, reason, pages=0):
        super().__init__(reason)
        self.stage = stage
        self.reason = reason
        self.pages = pages


def properties(values):
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


def load(desktop, path):
    try:
        document = desktop.loadComponentFromURL(uno.systemPathToFileUrl(path), "_blank", 0, properties({
            "FilterName": IMPORT_FILTER, "Hidden": True, "HiddenForConversion": True, "ReadOnly": True, "Silent": True,
            "UpdateDocMode": 0, "MacroExecutionMode": 0,
        }))
    except (IllegalArgumentException, IOException) as error:
        raise Refused("load", type(error).__name__) from error
    # For a wrong filter LibreOffice returns no document instead of raising an error.
    if document is None:
        raise Refused("load", "no document")
    return document


def close(document):
    try:
        document.close(True)
    except CloseVetoException:
        document.dispose()
    except DisposedException:
        pass


def page_count(document):
    return document.getCurrentController().PageCount


class Refresher:
    """Updates fields and indexes, and records the outcome for each index. Calls `report` before and after."""

    def __init__(self, report):
        self.report = report
        self.results = []

    def refresh(self, document, source, load_original):
        """Returns the document, possibly reloaded. Closes it if an error is raised."""
        if self.report is None or not fields.may_have_fields(source):
            return document
        try:
            # The layout counts as conversion time, not as refresh time.
            page_count(document)
            self.report("refreshing")
            document.getTextFields().refresh()
            self.results = []
            if document.getDocumentIndexes().getCount() > 0:
                document = self.refresh_indexes(document, source, load_original)
            self.report("refreshed")
            return document
        except BaseException:
            close(document)
            raise

    def refresh_indexes(self, document, source, load_original):
        try:
            self.results = indexes.rebuild(document, fields.index_instructions(source))
            if indexes.needs_original(self.results):
                document = load_again(document, load_original)
                indexes.restore(document, self.results)
            indexes.add_titles(document, self.results)
        except DisposedException:
            raise
        except Exception as error:  # noqa: BLE001 whatever is wrong with an index, the document is printed as it is
            print("indexes were not refreshed: %r" % error, file=sys.stderr, flush=True)
            document, self.results = load_again(document, load_original), [indexes.Failed()]
        document.getTextFields().refresh()
        return document


def load_again(document, load_original):
    close(document)
    document = load_original()
    document.getTextFields().refresh()
    return document


def ensure_title(document, source):
    """PDF/UA requires a title: the file name if the author set none, unless the text would show it."""
    about = document.getDocumentProperties()
    if about.Title.strip():
        return
    texts = document.getTextFields().createEnumeration()
    shows_title = False
    while texts.hasMoreElements() and not shows_title:
        shows_title = texts.nextElement().supportsService("com.sun.star.text.textfield.docinfo.Title")
    if not shows_title:
        about.Title = os.path.splitext(os.path.basename(source))[0]


def store(document, path, filter_data):
    data = uno.Any("[]com.sun.star.beans.PropertyValue", properties(filter_data))
    try:
        document.storeToURL(uno.systemPathToFileUrl(path), properties({
            "FilterName": "writer_pdf_Export", "Overwrite": True, "FilterData": data,
        }))
    except (IOException, IllegalArgumentException) as error:
        raise Refused("store", type(error).__name__, page_count(document)) from error


def load_dated(desktop, source, date):
    document = load(desktop, source)
    if fields.may_have_fields(source):
        dates.fix_dates(document, date)
    return document


def load_refreshed(desktop, source, date, refresher):
    document = load_dated(desktop, source, date)
    return refresher.refresh(document, source, lambda: load_dated(desktop, source, date))


def open_document(desktop, source, filter_data, budget, date, refresher):
    if budget is None:
        return load_refreshed(desktop, source, date, refresher)
    # Assistive software must see one table as one table.
    keeps_whole = "accessible" if filter_data.get("PDFUACompliance") else None
    engine = long_tables.Engine(
        lambda path: load_dated(desktop, path, date),
        lambda path: load_refreshed(desktop, path, date, refresher),
        close, Refused, budget)
    try:
        document, budget.table_parts = long_tables.open_in_parts(engine, source, keeps_whole)
    except long_tables.TooLong as too_long:
        raise Refused("long-table", str(too_long)) from too_long
    return document or load_refreshed(desktop, source, date, refresher)


def convert(desktop, source, target, filter_data, on_stored, budget=None, date=None, refresher=None):
    """Writes the PDF of the .docx, calls `on_stored` with the open document and the kept indexes, then closes it.

    Without a budget, long tables take LibreOffice quadratic time. `date` is the local time that date fields show;
    without it they show the current time. Without a refresher, fields are not updated.
    """
    refresher = refresher or Refresher(None)
    document = open_document(desktop, source, filter_data, budget, date, refresher)
    try:
        if filter_data.get("PDFUACompliance"):
            ensure_title(document, source)
        store(document, target, filter_data)
        on_stored(document, indexes.reports(refresher.results))
    finally:
        close(document)


def product(context):
    """Name and version of the running LibreOffice, such as ("LibreOffice", "25.2.3.2")."""
    provider = context.ServiceManager.createInstanceWithContext(
        "com.sun.star.configuration.ConfigurationProvider", context)
    node = provider.createInstanceWithArguments(
        "com.sun.star.configuration.ConfigurationAccess", properties({"nodepath": "/org.openoffice.Setup/Product"}))
    return node.getByName("ooName"), node.getByName("ooSetupVersionAboutBox")


PACKAGE = {
    "[Content_Types].xml":
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override '
        'PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.'
        'document.main+xml"/></Types>',
    "_rels/.rels":
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
        'Target="word/document.xml"/></Relationships>',
}
# LibreOffice assigns the colours of tracked changes in the order in which it meets their authors. Documents name theirs
# 1 to 9.
AUTHORS = 9
FONTS = ("Calibri", "Cambria", "Arial", "Times New Roman", "Courier New")


def run(font, style):
    return (
        '<w:r><w:rPr><w:rFonts w:ascii="%s" w:hAnsi="%s"/>%s</w:rPr><w:t>Warm</w:t></w:r>' % (font, font, style))


def warm_up_document(path):
    runs = "".join(run(font, style) for font in FONTS for style in ("", "<w:b/>", "<w:i/>"))
    cell = "<w:tc><w:p>%s</w:p></w:tc>" % run(FONTS[0], "<w:b/>")
    table = "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid><w:tr>%s</w:tr></w:tbl>" % (cell * 2)
    authors = ['w:author="%d"' % number for number in range(1, AUTHORS + 1)] + [""]
    changes = "".join(
        '<w:ins w:id="%d" %s w:date="2000-01-01T00:00:00Z">%s</w:ins>' % (number, author, run(FONTS[0], ""))
        for number, author in enumerate(authors))
    namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = '<w:document xmlns:w="%s"><w:body><w:p>%s</w:p>%s<w:p>%s</w:p></w:body></w:document>' % (
        namespace, runs, table, changes)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in PACKAGE.items():
            package.writestr(name, text)
        package.writestr("word/document.xml", body)


def warm_up(desktop, folder):
    source, target = folder + "/warm-up.docx", folder + "/warm-up.pdf"
    warm_up_document(source)
    for _ in range(WARM_UP_ROUNDS):
        convert(desktop, source, target, {}, lambda document, _kept: page_count(document))
    with open(target, "rb") as file:
        if file.read(5) != b"%PDF-":
            raise Refused("warm-up", "no PDF")
    os.unlink(source)
    os.unlink(target)

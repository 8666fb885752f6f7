"""Sets the character at which decimal tabs align. LibreOffice takes it from its own language, not from the document."""
import re
import zipfile
import zlib

import uno  # noqa: F401 makes the modules of LibreOffice known
from com.sun.star.beans import PropertyValue

SETTINGS = "word/settings.xml"
SYMBOL = re.compile(r'<w:decimalSymbol\b[^>]*\bw:val="([^"]*)"')
LOCALE_NODE = "/org.openoffice.Setup/L10N"
# Any language with a comma.
COMMA_LOCALE = "de-DE"


def has_comma(path):
    """Whether the settings of a .docx name a comma as its decimal symbol."""
    try:
        with zipfile.ZipFile(path) as package:
            found = SYMBOL.search(package.read(SETTINGS).decode("utf-8"))
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, ValueError, KeyError):
        return False
    return found is not None and found.group(1) == ","


class Locale:
    """The language by which LibreOffice reads numbers. It changes only for documents that need another one."""

    def __init__(self, context):
        provider = context.ServiceManager.createInstanceWithContext(
            "com.sun.star.configuration.ConfigurationProvider", context)
        node = PropertyValue(Name="nodepath", Value=LOCALE_NODE)
        self.access = provider.createInstanceWithArguments(
            "com.sun.star.configuration.ConfigurationUpdateAccess", (node,))
        self.usual = self.current = self.access.getPropertyValue("ooSetupSystemLocale") or ""

    def use_for(self, path):
        wanted = COMMA_LOCALE if has_comma(path) else self.usual
        if wanted == self.current:
            return
        self.access.setPropertyValue("ooSetupSystemLocale", wanted)
        self.access.commitChanges()
        self.current = wanted

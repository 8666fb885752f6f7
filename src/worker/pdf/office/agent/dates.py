"""Makes date and time fields show the date of the document, so that pages never depend on the clock."""
from datetime import datetime

# Makes com.sun.star importable.
import uno  # noqa: F401
from com.sun.star.container import NoSuchElementException
from com.sun.star.util import DateTime

DATE_FIELD = "com.sun.star.text.TextField.DateTime"
EDITING_TIME_FIELD = "com.sun.star.text.TextField.DocInfo.EditTime"


def fix_dates(document, text):
    """Fixes the date fields of the document to `text`, a local time such as 2026-03-31T14:30:00, if given."""
    if text is None:
        return
    date = to_date(text)
    found = document.getTextFields().createEnumeration()
    while True:
        try:
            field = found.nextElement()
        except NoSuchElementException:
            return
        kinds = field.getSupportedServiceNames()
        if DATE_FIELD in kinds and not field.IsFixed:
            field.DateTimeValue = date
            field.IsFixed = True
        elif EDITING_TIME_FIELD in kinds and not field.IsFixed:
            # Otherwise it would add the time since the document was loaded.
            field.IsFixed = True


def to_date(text):
    at = datetime.fromisoformat(text)
    date = DateTime()
    date.Year, date.Month, date.Day = at.year, at.month, at.day
    date.Hours, date.Minutes, date.Seconds = at.hour, at.minute, at.second
    return date

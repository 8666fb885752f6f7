"""Sets what LibreOffice's import omits from an index field's instruction (ECMA-376 part 1, 17.16.5.68)."""
import re

import uno
from com.sun.star.beans import PropertyValue

OUTLINE = re.compile(r'\\o\s*"?\s*([1-9])\s*-\s*([1-9])')
STYLES = re.compile(r'\\t\s*"([^"]*)"')
NO_PAGES = re.compile(r'\\n\s*(?:\\|$)')
NUMBER, TEXT, TAB, PAGE = "TokenEntryNumber", "TokenEntryText", "TokenTabStop", "TokenPageNumber"
LEVEL_FORMAT = "[][]com.sun.star.beans.PropertyValue"


def configure(document, index, instruction, entries):
    """Sets the first level of `\\o`, hides page numbers for `\\n`, and adds Word's tab between number and text."""
    if index.getServiceName() != "com.sun.star.text.ContentIndex":
        return
    levels = OUTLINE.search(instruction)
    if levels and int(levels[1]) > 1 and index.CreateFromOutline:
        index.CreateFromOutline, index.CreateFromLevelParagraphStyles = False, True
        for level in range(int(levels[1]), int(levels[2]) + 1):
            styles = index.LevelParagraphStyles.getByIndex(level - 1)
            replace(index.LevelParagraphStyles, level - 1, "[]string", (*styles, "Heading %d" % level))
    add_styles(document, index, instruction)
    hides_pages = NO_PAGES.search(instruction)
    for level in range(1, 10):
        if hides_pages:
            remove_pages(index, level)
        of_level = [entry for entry in entries if entry.style == "Contents %d" % level and entry.is_entry]
        if of_level and all("\t" in entry.label for entry in of_level):
            add_number_tab(index, level, of_level[0])


def add_styles(document, index, instruction):
    """Adds the styles of `\\t`, with any list separator. The import may support only the separator of one country."""
    names = document.getStyleFamilies().getByName("ParagraphStyles").getElementNames()
    by_key = {name.casefold(): name for name in names}
    found = STYLES.search(instruction)
    words = [word.strip() for word in re.split("[,;]", found[1])] if found else []
    for style, level in zip(words, words[1:]):
        name = by_key.get(style.casefold())
        if name is None or not re.fullmatch("[1-9]", level):
            continue
        styles = index.LevelParagraphStyles.getByIndex(int(level) - 1)
        if name not in styles:
            index.CreateFromLevelParagraphStyles = True
            replace(index.LevelParagraphStyles, int(level) - 1, "[]string", (*styles, name))


def add_number_tab(index, level, entry):
    tokens = index.LevelFormat.getByIndex(level)
    kinds = [token_type(token) for token in tokens]
    if NUMBER not in kinds or kinds[kinds.index(NUMBER) + 1:][:1] != [TEXT] or entry.number_tab is None:
        return
    at = kinds.index(NUMBER) + 1
    tab = token_of({
        "TokenType": TAB, "TabStopRightAligned": False, "TabStopPosition": entry.number_tab,
        "TabStopFillCharacter": " ", "CharacterStyleName": "", "WithTab": True})
    replace(index.LevelFormat, level, LEVEL_FORMAT, (*tokens[:at], tab, *tokens[at:]))


def remove_pages(index, level):
    """`\\n` hides the page numbers of all levels."""
    tokens = index.LevelFormat.getByIndex(level)
    kept = tuple(token for token in tokens if token_type(token) not in (TAB, PAGE))
    if len(kept) < len(tokens):
        replace(index.LevelFormat, level, LEVEL_FORMAT, kept)


def token_type(token):
    return next((value.Value for value in token if value.Name == "TokenType"), "")


def token_of(values):
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


def replace(container, position, kind, value):
    uno.invoke(container, "replaceByIndex", (position, uno.Any(kind, value)))

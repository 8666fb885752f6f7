"""The content from the last known page start to a long table, laid out together with the table's first rows."""


class Lead:
    """The content between the last known page start and a table."""

    def __init__(self, body, previous, row, lead=None):
        self.body, self.previous, self.row = body, previous, row
        # Without a joint in the previous table, everything since the joint before it belongs to the lead.
        self.lead = lead if previous is not None and row is None else None

    def before(self, table):
        xml, previous = self.body.xml, self.previous
        if previous is None:
            return xml[self.body.start:table.table.start]
        if self.lead is not None:
            opened = self.lead.before(previous) + previous.part(0, previous.body_rows)
        else:
            opened = previous.part(self.row, previous.body_rows, breaks=False)
        between, position = [], previous.table.end
        for index, (start, end) in enumerate(self.body.sections):
            if position <= start and end <= table.table.start:
                is_first = not between and not self.starts_document()
                between += [xml[position:start], self.body.later_section(index) if is_first else xml[start:end]]
                position = end
        return b"".join([opened, *between, xml[position:table.table.start]])

    def section(self, table, is_first_part):
        """Properties of the table's section, for a document that begins with this lead or in the table."""
        body, index = self.body, self.body.section_of(table.table.end)
        if is_first_part and self.has_section_before(table):
            return body.xml[slice(*body.sections[index])]
        return body.later_section(index)

    def starts_document(self):
        return self.previous is None or self.lead is not None and self.lead.starts_document()

    def has_section_before(self, table):
        begin = self.body.start if self.starts_document() else self.previous.table.end
        return self.starts_document() or any(begin <= start < table.table.start for start, _ in self.body.sections)

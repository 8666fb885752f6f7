import { type Inline, paragraph, runs, text } from './text.ts';

/**
 * A table of contents field over heading levels 1 and 2. Until it is updated, it shows `entries`, paragraphs that may
 * contain tags; page numbers appear with the update.
 */
export function tableOfContents(title: string, firstEntry: string, entries: readonly string[]): string {
  const mark = (type: string): Inline => ({ runXml: `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>` });
  const code: Inline = {
    runXml: '<w:r><w:instrText xml:space="preserve"> TOC \\o "1-2" \\h \\z \\u </w:instrText></w:r>',
  };
  const content = [
    paragraph('TOCHeading', title),
    paragraph('TOC1', [mark('begin'), code, mark('separate'), text(firstEntry)]),
    ...entries,
    `<w:p>${runs([mark('end')])}</w:p>`,
  ];
  return (
    '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/><w:docPartUnique/></w:docPartObj>' +
    `</w:sdtPr><w:sdtContent>${content.join('')}</w:sdtContent></w:sdt>`
  );
}

/** The reference mark of a footnote; ids start at 1. */
export const footnoteMark = (id: number): Inline => ({
  runXml: `<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="${id}"/></w:r>`,
});

/** Content of `footnotes.xml`: the two separators that Word requires, then the notes from id 1. */
export function footnotesXml(notes: readonly Inline[]): string {
  const separator = (id: number, type: string, element: string) =>
    `<w:footnote w:type="${type}" w:id="${id}"><w:p><w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr>` +
    `<w:r><w:${element}/></w:r></w:p></w:footnote>`;
  const reference: Inline = {
    runXml: '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>',
  };
  return [
    separator(-1, 'separator', 'separator'),
    separator(0, 'continuationSeparator', 'continuationSeparator'),
    ...notes.map(
      (note, index) =>
        `<w:footnote w:id="${index + 1}">${paragraph('FootnoteText', [reference, ' ', note])}</w:footnote>`,
    ),
  ].join('');
}

/** The reasons why LibreOffice lays out a document without direct layout having been tried. */
export const officeReasons = {
  requested: 'The request asks for LibreOffice (output.pdf.engine).',
  conforming:
    'The request asks for PDF/A-1b, or for a conforming file with a watermark, chosen pages or reduced pictures (output.pdf).',
  files: 'The request attaches files or adds pages (output.pdf.attachments, prepend or append).',
  fonts: 'The fonts of the worker are not known, or have changed since it started.',
  proving: 'Its pages are being compared.',
  proof: 'The pages of the template are not the same as those of LibreOffice.',
  unavailable: 'Direct layout was not available at the time.',
} as const;

/** The terms of Word's menus and dialogs for features that direct layout names by their XML elements. */
const wordTerms: readonly (readonly [feature: RegExp, term: string])[] = [
  [/^(?:mc:AlternateContent|w:pict|w:object)\b/, 'a text box, shape, WordArt, chart or embedded object'],
  [/^w:tblpPr\b/, 'a table with text around it'],
  [/^w:framePr\b/, 'a paragraph in a frame'],
  [/wrap/i, 'a picture with text around it'],
  [/^w:(?:ins|del|moveFrom|moveTo)\b|Change\b/, 'a tracked change'],
  [/^w:smallCaps\b/, 'small capitals'],
  [/^w:(?:caps|position|shadow|outline|emboss|imprint|w|fitText)\b/, 'an effect of the Font dialog'],
  [/^w:cols\b/, 'columns'],
  [/^w:type of a section/, 'a continuous section break'],
  [/^w:docGrid\b/, 'a document grid'],
  [/^(?:w:bidi|w:rtl|characters of other scripts)\b/, 'text that is not in Latin, Greek or Cyrillic letters'],
  [/^m:/, 'an equation'],
  [/^w:sym\b/, 'a symbol of the Symbol dialog'],
  [/^w:mirrorIndents\b/, 'mirrored indents'],
  [/^w:firstLineChars\b/, 'an indentation that is measured in characters'],
  [/^w:(?:customXml|smartTag)\b/, 'custom XML around text'],
  [/^w:(?:comment|annotation)/, 'a comment'],
  [/^w:(?:endnote)/, 'an endnote'],
];

/**
 * A reason of direct layout as a sentence: what the document contains, in Word's terms, with the name of the XML
 * element.
 */
export function explainReason(reason: string): string {
  const term = wordTerms.find(([feature]) => feature.test(reason))?.[1];
  return term === undefined ? `Not laid out directly: ${reason}.` : `Not laid out directly: ${term} (${reason}).`;
}

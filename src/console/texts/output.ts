/** The names of the options of a document, which single documents and batches share. */
export const outputLabels = {
  format: 'Format',
  locale: 'Language',
  localeHint: 'Of numbers, dates and words, such as en-GB or de.',
  timezone: 'Time zone',
  timezoneHint: 'Such as Europe/Berlin.',
  documentDate: 'Date of the documents',
  onMissing: 'A tag without a value',
  onMissingGlyph: 'Characters that no font has',
  externalContent: 'Linked content in .docx',
  callbackUrl: 'Notify this address at the end',
  pdfTitle: 'PDF options',
  archive: 'Archive format',
  accessible: 'Accessible (PDF/UA)',
  onNonconformance: 'A file that fails its check',
  watermark: 'Watermark',
  pages: 'Only these pages',
  pagesHint: 'Such as 1-3,5.',
  imageQuality: 'Quality of pictures (1–100)',
  password: 'Password to open the files',
  printing: 'Printing',
  printingOptions: { '': 'allowed', none: 'not allowed', low: 'in low resolution', high: 'in full resolution' },
  changes: 'Changes',
  changesOptions: {
    '': 'allowed',
    none: 'none',
    assembly: 'order of pages',
    forms: 'filling forms',
    comments: 'comments',
    all: 'all',
  },
} as const;

interface OptionText {
  readonly label: string;
  readonly hint?: string;
  /** What each choice does. */
  readonly choices?: Readonly<Record<string, string>>;
}

const l = outputLabels;

/** The options of a single document in words, by their names in the request. */
export const optionTexts: Readonly<Record<string, OptionText>> = {
  format: {
    label: l.format,
    choices: {
      pdf: 'PDF',
      docx: 'Word (.docx)',
      xml: 'E-invoice (XML)',
      'factur-x': 'Factur-X',
      zugferd: 'ZUGFeRD',
    },
  },
  filename: { label: 'File name', hint: 'A name has no folders: only what follows the last “/” is kept.' },
  locale: { label: l.locale, hint: l.localeHint },
  timezone: { label: l.timezone, hint: l.timezoneHint },
  documentDate: {
    label: 'Date of the document',
    hint: 'Such as 2026-02-09T12:00:00Z. By default the time of the request.',
  },
  onMissing: {
    label: l.onMissing,
    choices: { empty: 'prints nothing', error: 'refuses the request', highlight: 'is printed on yellow (Word only)' },
  },
  onMissingGlyph: {
    label: l.onMissingGlyph,
    choices: { warn: 'become empty boxes and a warning', error: 'refuse the request' },
  },
  docx: { label: 'Word options' },
  contentControls: {
    label: 'Content controls',
    choices: { keep: 'keep', remove: 'leave only their content', lock: 'lock' },
  },
  comments: { label: 'Comments of the template', choices: { keep: 'keep', remove: 'remove' } },
  trackedChanges: { label: 'Tracked changes', choices: { keep: 'keep', accept: 'accept' } },
  protection: { label: 'Protection in Word' },
  mode: {
    label: 'Allowed changes',
    choices: {
      readOnly: 'none',
      comments: 'comments',
      trackedChanges: 'tracked changes',
      forms: 'filling forms',
      recommended: 'all, if the reader declines to open it read-only',
    },
  },
  externalContent: { label: l.externalContent, choices: { keep: 'keep', remove: 'remove' } },
  pdf: { label: l.pdfTitle },
  engine: { label: 'Layout of the pages', choices: { auto: 'as the template says', office: 'LibreOffice' } },
  archive: { label: l.archive },
  accessible: { label: l.accessible },
  onNonconformance: { label: l.onNonconformance, choices: { warn: 'has a warning', error: 'is refused' } },
  password: { label: 'Password', hint: 'Opens the PDF, or turns off the protection of the .docx.' },
  permissions: { label: 'What readers may do' },
  printing: { label: l.printing, choices: l.printingOptions },
  changes: { label: l.changes, choices: l.changesOptions },
  copying: { label: 'Copying of text' },
  accessibility: { label: 'Reading by screen readers' },
  watermark: { label: l.watermark },
  pages: { label: l.pages, hint: l.pagesHint },
  imageQuality: { label: l.imageQuality },
  attachments: { label: 'Attachments', hint: 'Each is a stored file, given by name, or base64.' },
  append: { label: 'PDFs after the pages', hint: 'Such as terms and conditions. The preview does not show them.' },
  prepend: { label: 'PDFs before the pages', hint: 'Such as a cover. The preview does not show them.' },
  invoice: {
    label: 'Electronic invoice',
    hint: 'It is made by the mapping of the template, unless you give its data.',
  },
  xml: { label: 'Electronic invoice', hint: 'For the format XML. It is made by the mapping of the template.' },
  profile: {
    label: 'Profile',
    choices: {
      minimum: 'MINIMUM',
      'basic-wl': 'BASIC WL',
      basic: 'BASIC',
      en16931: 'EN 16931',
      extended: 'EXTENDED',
      xrechnung: 'XRECHNUNG',
      peppol: 'Peppol BIS 3',
    },
  },
  syntax: { label: 'Syntax', choices: { cii: 'CII', ubl: 'UBL' } },
  relationship: {
    label: 'Relationship to the pages',
    choices: { Data: 'data', Source: 'source', Alternative: 'alternative' },
  },
  onDifference: {
    label: 'Pages that differ from the invoice',
    choices: { error: 'are refused', warn: 'have warnings' },
  },
  asset: { label: 'Name of a stored file' },
  content: { label: 'File in base64' },
  data: { label: 'Data in the terms of EN 16931' },
  callbackUrl: { label: l.callbackUrl, hint: 'An https address. The message is signed.' },
};

import type { KeptIndex } from './agent/agent-messages.ts';

/** A warning about something that a conversion kept unchanged or omitted. */
export interface ConversionWarning {
  readonly code: string;
  readonly message: string;
}

const kinds: Readonly<Record<string, string>> = {
  ContentIndex: 'table of contents',
  IllustrationsIndex: 'table of figures',
  Bibliography: 'bibliography',
};

const reasons: Readonly<Record<string, string>> = {
  sources: 'LibreOffice cannot read the sources of a bibliography',
  layout: 'LibreOffice cannot lay out an alphabetical index as Word does',
  table: 'LibreOffice cannot rebuild an index inside a table',
  entries: 'LibreOffice finds none of its entries',
  pages: 'LibreOffice would lose its page numbers',
  numbers: 'LibreOffice would lose the numbers of its entries',
  text: 'LibreOffice would lose text between its entries',
  shared: 'it shares a paragraph with other text',
};

const failed = 'LibreOffice failed to rebuild it';
const maxTextChars = 100;

/** The warning for an index that is kept as the author made it. The texts come from the jail and are not trusted. */
export function describeKeptIndex({ kind, begins, reason, lost }: KeptIndex): ConversionWarning {
  const name = kinds[kind] ?? 'index';
  const place = begins === '' ? '' : ` that begins with "${shown(begins)}"`;
  const why = reason === 'entry' ? `LibreOffice would lose its entry "${shown(lost)}"` : (reasons[reason] ?? failed);
  const message = `The ${name}${place} stays as it is in the template, except for page numbers that are known: ${why}. New entries are missing.`;
  return { code: 'index_kept', message };
}

/** The warning for a document whose fields and indexes crash or hang LibreOffice. */
export const refreshSkipped: ConversionWarning = {
  code: 'refresh_skipped',
  message:
    'Fields and indexes show what they show in the template: LibreOffice crashed or hung when it refreshed them. Remove an index from tables or text boxes, or update the fields in Word.',
};

function shown(text: string): string {
  return [...text.toWellFormed().replace(/\p{Cc}/gu, ' ')].slice(0, maxTextChars).join('');
}

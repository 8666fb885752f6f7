import type { DocxInput } from '../../../support/documents/docx-builder.ts';

const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** The settings of a version of Word: 15 is that of 2013 and later ones. */
export const compatibility = (version: number): string =>
  `<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${version}"/></w:compat>`;

/** A document for a version of Word. `parts` are further parts of its file. */
export function documentForWord(body: string, version: number, parts: DocxInput['parts'] = {}): DocxInput {
  const settings = `<w:settings xmlns:w="${wordNamespace}">${compatibility(version)}</w:settings>`;
  return {
    body,
    rels: [{ id: 'rIdSettings', type: 'settings', target: 'settings.xml' }],
    parts: { 'word/settings.xml': settings, ...parts },
  };
}

import { describe, expect, test } from 'vitest';
import { charactersOf } from '../../../../src/worker/docx/account-fonts/characters-of.ts';
import { useAccountFonts } from '../../../../src/worker/docx/account-fonts/use-account-fonts.ts';
import { findMissingGlyphs } from '../../../../src/worker/docx/glyphs/find-missing-glyphs.ts';
import { PrintableCharacters } from '../../../../src/worker/docx/glyphs/printable-characters.ts';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { buildDocx } from '../../../support/documents/docx-builder.ts';

const family = {
  names: ['acme & sons'],
  alias: 'docmill1',
  styles: ['regular', 'bold'],
  coverage: [0x41, 0x5a, 0x16d40, 0x16d40],
} as const;
const run = (font: string, text: string) =>
  `<w:p><w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:cs="Other"/></w:rPr><w:t>${text}</w:t></w:r></w:p>`;
const text = (content: Uint8Array | undefined) => Buffer.from(content ?? []).toString();

describe('fonts of the account', () => {
  test('replace the names in runs that use them, and nothing else', () => {
    const docx = openPackage(buildDocx({ body: run('ACME &amp; Sons', 'Acme &amp; Sons') }));
    const { changes, aliases } = useAccountFonts(docx, [family]);
    expect(aliases).toEqual(['docmill1']);
    expect(text(changes.get('word/document.xml'))).toContain(
      '<w:rFonts w:ascii="docmill1" w:hAnsi="docmill1" w:cs="Other"/></w:rPr><w:t>Acme &amp; Sons</w:t>',
    );
    expect(text(changes.get('word/accountFonts.xml'))).toContain('<w:embedBold r:id="docmill1-bold"');
    expect(text(changes.get('[Content_Types].xml'))).toContain('PartName="/fonts/docmill1-regular.odttf"');
  });

  test('join the fonts of an existing font table', () => {
    const ns = 'xmlns:x="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const table = `<x:fonts ${ns}><x:font x:name="Kept"/></x:fonts>`;
    const parts = { 'word/fontTable.xml': table };
    const rels = [{ id: 'rT', type: 'fontTable', target: 'fontTable.xml' }];
    const docx = buildDocx({ body: run('Acme &amp; Sons', 'x'), parts, rels });
    const { changes } = useAccountFonts(openPackage(docx), [family]);
    expect(text(changes.get('word/fontTable.xml'))).toMatch(/<w:font w:name="Kept"\/><w:font .*<\/w:font><\/w:fonts>$/);
    expect(changes.has('word/accountFonts.xml')).toBe(false);
  });

  test('change nothing in a document that does not name them', () => {
    const docx = openPackage(buildDocx({ body: run('Acme', 'Acme &amp; Sons') }));
    expect(useAccountFonts(docx, [family])).toEqual({ changes: new Map(), aliases: [] });
  });

  test('count as having a character only in text that uses them', () => {
    const docx = openPackage(buildDocx({ body: run('Acme &amp; Sons', 'A\u{16D40}') + run('Other', 'B\u{16D40}') }));
    const printable = new PrintableCharacters('key', [0x20, 0x7e]);
    const found = findMissingGlyphs(docx, docx, new Map(), printable, charactersOf([family]));
    expect(found).toMatchObject([{ font: 'Other', count: 1 }]);
    expect(findMissingGlyphs(docx, docx, new Map(), printable)).toHaveLength(2);
  });
});

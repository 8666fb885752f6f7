import { readRelationships } from '@docmill/word/relationships';
import { describe, expect, it } from 'vitest';
import { PackageAdditions } from '../../../../src/worker/docx/core/render/package-additions.ts';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { overlayPackage } from '../../../../src/worker/docx/package/overlay-package.ts';
import { validatePackage } from '../../../../src/worker/docx/package/validate-package.ts';
import { writePackage } from '../../../../src/worker/docx/package/write-package.ts';
import { buildDocx, type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';
import { types } from './fill.ts';

const png = { bytes: Buffer.from('png bytes'), type: 'png' } as const;
const main = 'word/document.xml';

function additionsTo(input: DocxInput) {
  const source = openPackage(buildDocx(input));
  const additions = new PackageAdditions(source);
  const written = () => {
    const docx = openPackage(writePackage(source, additions.changes()));
    validatePackage(docx);
    return docx;
  };
  const rels = (part: string) => readRelationships(written().readText(part) ?? '');
  return { source, additions, written, rels };
}

describe("additions to a document's package", () => {
  it('change nothing if there are none', () => {
    const { additions } = additionsTo({});
    expect(additions.isEmpty).toBe(true);
    expect(additions.changes().size).toBe(0);
  });

  it('store a picture once, however often it is shown in any part', () => {
    const { additions, written, rels } = additionsTo({ headers: [paragraph('h')] });
    const id = additions.addPicture(main, png);
    expect(additions.addPicture(main, { ...png, bytes: Buffer.from(png.bytes) })).toBe(id);
    const inHeader = additions.addPicture('word/header1.xml', png);
    const media = written().partNames.filter((name) => name.startsWith('word/media/'));
    expect(media).toHaveLength(1);
    expect(written().read(media[0] ?? '')).toEqual(png.bytes);
    expect(written().contentType(media[0] ?? '')).toBe('image/png');
    const target = media[0]?.slice('word/'.length);
    expect(rels('word/_rels/document.xml.rels')).toContainEqual(expect.objectContaining({ id, kind: 'image', target }));
    expect(rels('word/_rels/header1.xml.rels')).toEqual([expect.objectContaining({ id: inHeader, target })]);
  });

  it('give links one id per address, and escape addresses so that they are read back unchanged', () => {
    const { additions, rels } = additionsTo({});
    const url = 'https://example.com/?a=1&b="<x>\'';
    const ids = [additions.addHyperlink(main, url), additions.addHyperlink(main, url)];
    const other = additions.addHyperlink(main, 'mailto:a@b.example');
    expect(new Set([...ids, other]).size).toBe(2);
    expect(rels('word/_rels/document.xml.rels')).toContainEqual(
      expect.objectContaining({ id: ids[0], kind: 'hyperlink', target: url, isExternal: true }),
    );
  });

  it('use no id, name or content type that already exists', () => {
    const input: DocxInput = {
      rels: [{ id: 'RIDADDED1', type: 'hyperlink', target: 'https://example.com', external: true }],
      contentTypes: { jpeg: 'image/pjpeg' },
    };
    const first = additionsTo(input);
    first.additions.addPicture(main, { bytes: png.bytes, type: 'jpeg' });
    const name = [...first.additions.changes().keys()].find((part) => part.includes('media')) ?? '';
    const taken = name.toUpperCase().replace('WORD', 'word');
    const second = additionsTo({ ...input, parts: { [taken]: 'another picture' } });
    expect(second.additions.addPicture(main, { bytes: png.bytes, type: 'jpeg' })).toBe('rIdAdded2');
    const own = second.written().partNames.filter((part) => /-2\.jpeg$/.test(part));
    expect(own).toHaveLength(1);
    expect(second.written().contentType(own[0] ?? '')).toBe('image/jpeg');
    expect(second.written().contentType('word/media/other.jpeg')).toBe('image/pjpeg');
  });

  const ns = 'http://schemas.openxmlformats.org/package/2006/relationships';
  it.each([
    ['closed at once', `<Relationships xmlns="${ns}" />`],
    ['with a prefix', `<p:Relationships xmlns:p="${ns}"></p:Relationships>`],
    ['with a comment at the end', `<Relationships xmlns="${ns}"></Relationships><!-- </x> -->`],
  ])('are written into relationships %s', (_, xml) => {
    const { additions, rels } = additionsTo({
      headers: [paragraph('h')],
      parts: { 'word/_rels/header1.xml.rels': xml },
    });
    const id = additions.addHyperlink('word/header1.xml', 'https://example.com');
    expect(rels('word/_rels/header1.xml.rels')).toEqual([expect.objectContaining({ id, isExternal: true })]);
  });

  it('can be read like any other part', () => {
    const { source, additions } = additionsTo({});
    const contentType = types.word('numbering');
    const bytes = Buffer.from('<w:numbering xmlns:w="w"/>');
    const { name } = additions.addPart(main, { name: 'numbering.xml', contentType, kind: 'numbering', bytes });
    const overlaid = overlayPackage(source, additions.changes());
    expect(name).toBe('word/numbering.xml');
    expect(overlaid.contentType(name)).toBe(contentType);
    expect(overlaid.readText(name)).toBe('<w:numbering xmlns:w="w"/>');
  });
});

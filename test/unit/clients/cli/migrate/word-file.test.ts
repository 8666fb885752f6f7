import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { migrateTemplate } from '../../../../../clients/cli/src/migrate/migrate-template.ts';
import { UnusableFile } from '../../../../../clients/cli/src/migrate/report.ts';
import { openPackage } from '../../../../../src/worker/docx/package/open-package.ts';
import { buildDocx, type DocxInput, paragraph, table } from '../../../../support/documents/docx-builder.ts';
import { fill, textOf } from './migration-case.ts';

const body = (input: DocxInput): string => {
  const { file } = migrateTemplate(buildDocx(input), 'carbone');
  return openPackage(Buffer.from(file)).readText('word/document.xml') ?? '';
};

const points = [1, 3].map((x) => ({ x, y: x + 1 }));
const run = (text: string, properties = ''): string => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;

describe('tags in Word files', () => {
  test('a tag over several runs becomes text of its first run, and the other runs keep their formatting', () => {
    const xml = body({
      body: `<w:p>${run('Dear {d.', '<w:b/>')}${run('na', '<w:i/>')}${run('me} and all', '<w:u w:val="single"/>')}</w:p>`,
    });
    expect(xml).toContain('<w:rPr><w:b/></w:rPr><w:t xml:space="preserve">Dear {name}</w:t>');
    expect(xml).toContain('<w:rPr><w:i/></w:rPr><w:t xml:space="preserve"/>');
    expect(xml).toContain('<w:rPr><w:u w:val="single"/></w:rPr><w:t xml:space="preserve"> and all</w:t>');
  });

  test('several tags in one run, and a line break within a tag, are migrated', () => {
    const xml = body({ body: '<w:p><w:r><w:t>{d.a}{d.b} {d.c:</w:t><w:br/><w:t>upperCase}!</w:t></w:r></w:p>' });
    expect(xml).toContain('{a}{b} {c | upper}');
    expect(xml).not.toContain('<w:br/>');
  });

  test('both copies of a text box are read as paragraphs of their own', () => {
    const box = (text: string) => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`;
    const shape =
      '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>' +
      `${box('{d.x:t()}{d.inner}')}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>${box('{d.x:t()}{d.inner}')}` +
      '</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>';
    const template = buildDocx({ body: `<w:p>${run('{d.')}${shape}${run('outer}')}</w:p>` });
    const { file, report } = migrateTemplate(template, 'carbone');
    const xml = openPackage(Buffer.from(file)).readText('word/document.xml') ?? '';
    expect(xml.match(/\{inner\}/g)).toHaveLength(2);
    expect(xml).toContain('{outer}');
    expect(report).toMatchObject({ left: 1, rewritten: 2 });
    expect(report.findings).toHaveLength(1);
  });

  test('headers, footers, notes and properties are migrated, and all other parts keep their bytes', () => {
    const core =
      '<?xml version="1.0"?><cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ' +
      'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{d.title}</dc:title></cp:coreProperties>';
    const input: DocxInput = {
      body: paragraph('{d.a}'),
      headers: [paragraph('{d.b}')],
      footers: [paragraph('{d.c}')],
      footnotes: [paragraph('{d.d}')],
      endnotes: [paragraph('{d.e}')],
      parts: { 'docProps/core.xml': core },
      contentTypes: { 'docProps/core.xml': 'application/vnd.openxmlformats-package.core-properties+xml' },
    };
    const template = buildDocx(input);
    const { file } = migrateTemplate(template, 'carbone');
    expect(textOf(file).match(/\{.*\}/g)).toEqual(['{a}', '{b}', '{c}', '{d}', '{e}', '{title}']);
    const before = openPackage(template);
    const after = openPackage(Buffer.from(file));
    expect(after.partNames.toSorted()).toEqual(before.partNames.toSorted());
    expect(after.readText('word/styles.xml')).toBe(before.readText('word/styles.xml'));
  });

  test('a row keeps its properties, and a list over two rows ends after the second', () => {
    const rows = table([
      ['{d.a[i].x}', 'p'],
      ['{d.a[i].y}', 'q'],
      ['{d.a[i+1].x}', ''],
      ['Total', '{d.t}'],
    ]);
    const { file } = migrateTemplate(buildDocx({ body: rows }), 'carbone');
    expect(fill(file, { a: points, t: 9 })).toBe('1\np\n2\nq\n3\np\n4\nq\nTotal\n9');
  });

  test('a name that an inner list hides is reported', () => {
    const rows = table([
      ['{d.a[i].name}', ''],
      ['{d.a[i].b[i].name}', '{d.a[i].name}'],
      ['{d.a[i].b[i+1].name}', ''],
      ['{d.a[i+1].name}', ''],
    ]);
    const { report } = migrateTemplate(buildDocx({ body: rows }), 'carbone');
    expect(report.findings).toEqual([
      expect.objectContaining({ status: 'left', tag: '{d.a[i].name}', reason: expect.stringContaining('Rename') }),
    ]);
  });

  test('two lists of the same name are both migrated', () => {
    const lines = ['{d.a[i].x}', '{d.a[i+1].x}', 'and', '{d.a[i].y}', '{d.a[i+1].y}'];
    const template = buildDocx({ body: lines.map((line) => paragraph(line)).join('') });
    expect(fill(migrateTemplate(template, 'carbone').file, { a: points })).toBe('1\n3\nand\n2\n4');
  });
});

describe('files that are not templates', () => {
  const expectRejected = (bytes: Uint8Array, message: string) => {
    const act = () => migrateTemplate(bytes, 'docxtemplater');
    expect(act).toThrow(UnusableFile);
    expect(act).toThrow(message);
  };
  const main = (xml: string) => buildDocx({ parts: { 'word/document.xml': xml } });

  test.each([
    ['no zip', Buffer.from('hello'), 'not a Word document'],
    ['no Word file', buildDocx({ mainContentType: 'application/xml' }), 'not a Word document'],
    ['bad XML', main('<w:document'), 'not valid XML'],
    ['a document type', main('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), 'document type'],
    ['nested without end', buildDocx({ body: '<w:p>'.repeat(5_000) + '</w:p>'.repeat(5_000) }), 'nests more than'],
  ])('%s', (_, bytes, message) => expectRejected(bytes, message));

  test('a file that unpacks to far more than allowed is refused, whatever its directory states', () => {
    const zeros = deflateRawSync(Buffer.alloc(8 * 1024 * 1024));
    const bomb = (statedBytes: number): Buffer => {
      const name = Buffer.from('word/media/a.bin');
      const local = Buffer.alloc(30);
      local.writeUInt32LE(0x04034b50, 0);
      local.writeUInt16LE(8, 8);
      local.writeUInt32LE(zeros.length, 18);
      local.writeUInt32LE(statedBytes, 22);
      local.writeUInt16LE(name.length, 26);
      const central = Buffer.alloc(46);
      central.writeUInt32LE(0x02014b50, 0);
      central.writeUInt16LE(8, 10);
      central.writeUInt32LE(zeros.length, 20);
      central.writeUInt32LE(statedBytes, 24);
      central.writeUInt16LE(name.length, 28);
      const end = Buffer.alloc(22);
      end.writeUInt32LE(0x06054b50, 0);
      end.writeUInt16LE(1, 8);
      end.writeUInt16LE(1, 10);
      end.writeUInt32LE(central.length + name.length, 12);
      end.writeUInt32LE(local.length + name.length + zeros.length, 16);
      return Buffer.concat([local, name, zeros, central, name, end]);
    };
    expectRejected(bomb(1024 * 1024 * 1024), 'unpacks to more than');
    // Bytes beyond the stated size are dropped, so memory stays within that size.
    expectRejected(bomb(100), 'not a Word document');
  });
});

import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { normalizePdf } from '../../../../src/worker/pdf/normalize/normalize-pdf.ts';
import { countPdfPages } from '../../../../src/worker/pdf/office/count-pdf-pages.ts';

const date = new Date('2026-03-31T14:30:05Z');

interface Made {
  readonly at: string;
  /** The fonts in the order of their addresses in the file. */
  readonly fonts: readonly string[];
  readonly trailer?: string;
}

/**
 * Writes a PDF as LibreOffice does: embedded fonts, then their dictionary, page, profile, XMP, catalogue and
 * information.
 */
function makePdf({ at, fonts, trailer = '' }: Made): Buffer {
  const objects: Buffer[] = [];
  const put = (text: string, stream?: Buffer): number => {
    const number = objects.length + 1;
    const tail = stream === undefined ? '' : '\nendstream';
    objects.push(
      Buffer.concat([
        Buffer.from(`${number} 0 obj\n${text}${stream === undefined ? '' : '\nstream\n'}`, 'latin1'),
        stream ?? Buffer.alloc(0),
        Buffer.from(`${tail}\nendobj\n\n`),
      ]),
    );
    return number;
  };
  const content = put(`<</Length 6>>`, Buffer.from('q 1 Q\n'));
  const numbers = new Map<string, number>();
  for (const font of fonts) {
    const bytes = deflateSync(Buffer.from(`glyphs of ${font}`));
    const file = put(`<</Length ${objects.length + 2} 0 R/Filter/FlateDecode>>`, bytes);
    put(String(bytes.length));
    const descriptor = put(`<</Type/FontDescriptor/FontName/${font}+Carlito\n/FontFile2 ${file} 0 R\n>>`);
    numbers.set(font, put(`<</Type/Font/BaseFont/${font}+Carlito\n/FontDescriptor ${descriptor} 0 R\n>>`));
  }
  const names = [...numbers].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const dictionary = put(`<<${names.map(([, number], i) => `/F${i + 1} ${number} 0 R`).join('')}\n>>`);
  const resources = put(`<<\n/Font ${dictionary} 0 R\n>>`);
  const link = put('<</Type/Annot/A<</S/URI/URI(https://example.com/?q=3 0 R)>>>>');
  const tree = objects.length + 2;
  const page = put(
    `<</Type/Page/Parent ${tree} 0 R/Resources ${resources} 0 R/Annots[${link} 0 R]/Contents ${content} 0 R>>`,
  );
  put(`<</Type/Pages/Kids[ ${page} 0 R ]/Count 1>>`);
  const profile = Buffer.alloc(200, 7);
  profile.writeUInt16BE(Number(at.slice(17, 19)), 34);
  const packed = deflateSync(profile);
  const icc = put(`<</N 3/Length ${objects.length + 2} 0 R/Filter/FlateDecode>>`, packed);
  put(String(packed.length));
  const intent = put(`<</Type/OutputIntent/S/GTS_PDFA1/DestOutputProfile ${icc} 0 R>>`);
  const xmp = Buffer.from(
    `<?xpacket?><x:xmpmeta><dc:date>\n<rdf:Seq>\n<rdf:li>${at}</rdf:li></rdf:Seq></dc:date><xmp:CreateDate>${at}</xmp:CreateDate>` +
      `<xmp:ModifyDate>${at}</xmp:ModifyDate><xmp:MetadataDate>${at}</xmp:MetadataDate><pdfaid:part>1</pdfaid:part>\n<pdfaid:conformance>A</pdfaid:conformance></x:xmpmeta>`,
  );
  const metadata = put(`<</Type/Metadata/Subtype/XML/Length ${xmp.length}>>`, xmp);
  const root = put(`<</Type/Catalog/Pages ${tree} 0 R/OutputIntents[${intent} 0 R]/Metadata ${metadata} 0 R>>`);
  const compact = at.replace(/[-:TZ]/g, '');
  const info = put(`<</Creator<FEFF0057>/CreationDate(D:${compact}+01'00')/ModDate(D:${compact}Z')>>`);
  const header = Buffer.from('%PDF-1.7\n%\xc3\xa4\n', 'latin1');
  let offset = header.length;
  const entries = objects.map(({ length }) => {
    offset += length;
    return `${String(offset - length).padStart(10, '0')} 00000 n \n`;
  });
  const id = Buffer.from(at.slice(0, 16)).toString('hex').toUpperCase();
  const end =
    `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}trailer\n<</Size ${objects.length + 1}/Root ${root} 0 R\n` +
    `/Info ${info} 0 R\n/ID [ <${id}>\n<${id}> ]\n/DocChecksum /${id}\n${trailer}>>\nstartxref\n${offset}\n%%EOF\n`;
  return Buffer.concat([header, ...objects, Buffer.from(end, 'latin1')]);
}

const normalized = (made: Made): Buffer => Buffer.from(normalizePdf(makePdf(made), date));

describe('a normalized PDF', () => {
  it('has the same bytes whenever it was converted', () => {
    const first = normalized({ at: '2026-01-02T03:04:05Z', fonts: ['BAAAAA'] });
    expect(first.equals(normalized({ at: '2026-12-30T23:59:58Z', fonts: ['BAAAAA'] }))).toBe(true);
  });

  it("has the document's date in its information, its metadata and its colour profile", () => {
    const pdf = normalized({ at: '2026-01-02T03:04:05Z', fonts: [] });
    const text = pdf.toString('latin1');
    expect(text.match(/\/(?:CreationDate|ModDate)\(D:20260331143005Z\)/g)).toHaveLength(2);
    expect(text.match(/2026-03-31T14:30:05Z/g)).toHaveLength(4);
    expect(text).not.toContain('2026-01-02');
    const profile = text.indexOf('/N 3/');
    const packed = pdf.subarray(text.indexOf('stream\n', profile) + 7);
    const content = inflateSync(packed.subarray(0, packed.indexOf('\nendstream')));
    expect(Array.from({ length: 6 }, (_, i) => content.readUInt16BE(24 + 2 * i))).toEqual([2026, 3, 31, 14, 30, 5]);
  });

  it.each([
    [undefined, 'A'],
    ['PDF/A-1b', 'B'],
    ['PDF/A-2u', 'U'],
  ] as const)('requested as %s declares level %s', (archive, level) => {
    const pdf = normalizePdf(makePdf({ at: '2026-01-02T03:04:05Z', fonts: [] }), date, archive);
    expect(Buffer.from(pdf).toString()).toContain(`<pdfaid:conformance>${level}<`);
  });

  it('has another identifier if its content or its date differs', () => {
    const idOf = (pdf: Buffer) => /\/ID \[ <(\w{32})>/.exec(pdf.toString('latin1'))?.[1];
    const [one, other] = [
      normalized({ at: '2026-01-02T03:04:05Z', fonts: [] }),
      makePdf({ at: '2026-01-02T03:04:05Z', fonts: [] }),
    ];
    expect(idOf(one)).toMatch(/^[0-9A-F]{32}$/);
    expect(idOf(Buffer.from(normalizePdf(other, new Date(0))))).not.toBe(idOf(one));
    expect(idOf(normalized({ at: '2026-01-02T03:04:05Z', fonts: ['BAAAAA'] }))).not.toBe(idOf(one));
  });

  it('lists fonts by name, whatever the order of the converter', () => {
    const at = '2026-01-02T03:04:05Z';
    const sorted = normalized({ at, fonts: ['BAAAAA', 'CAAAAA', 'DAAAAA'] });
    expect(countPdfPages(sorted)).toBe(1);
    for (const fonts of [
      ['DAAAAA', 'BAAAAA', 'CAAAAA'],
      ['CAAAAA', 'DAAAAA', 'BAAAAA'],
    ]) {
      expect(normalized({ at, fonts }).equals(sorted), fonts.join(' ')).toBe(true);
    }
    const text = sorted.toString('latin1');
    expect(text.match(/FontName\/[A-Z]+/g)).toEqual(['FontName/BAAAAA', 'FontName/CAAAAA', 'FontName/DAAAAA']);
    // The text in the string is not a reference.
    expect(text).toContain('(https://example.com/?q=3 0 R)');
  });

  it('is left unchanged if it is encrypted, updated or damaged', () => {
    const made = { at: '2026-01-02T03:04:05Z', fonts: ['CAAAAA', 'BAAAAA'] };
    const unknown = [
      makePdf({ ...made, trailer: '/Encrypt 3 0 R\n' }),
      makePdf({ ...made, trailer: '/Prev 12\n' }),
      makePdf(made).subarray(0, -9),
      Buffer.from(makePdf(made).toString('latin1').replace('0000000013', '0000000014'), 'latin1'),
      Buffer.from('%PDF-1.7\n'),
      Buffer.alloc(0),
    ];
    for (const pdf of unknown) expect(normalizePdf(pdf, date)).toBe(pdf);
  });
});

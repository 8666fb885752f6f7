import { crc32, deflateRawSync } from 'node:zlib';

export const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const officeRels = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageNs = 'http://schemas.openxmlformats.org/package/2006';
const wordNs = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const wordMime = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

/** Namespace prefixes that test bodies may use; declared on the root of each generated part. */
export const namespaces = [
  `xmlns:w="${wordNs}"`,
  `xmlns:r="${officeRels}"`,
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wp14="http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
  'xmlns:o="urn:schemas-microsoft-com:office:office"',
].join(' ');

export interface DocxRelationship {
  readonly id: string;
  /** The last segment of an office relationship type (`image`), or a whole type URI. */
  readonly type: string;
  readonly target: string;
  readonly external?: boolean;
}

export interface DocxInput {
  /** XML inside `<w:body>`, before the section properties: see `paragraph`, `table`. */
  readonly body?: string;
  /** XML at the end of the last section properties, in place of the size and the margins of an A4 page. */
  readonly section?: string;
  /**
   * XML of each header or footer: the first is the default, the second is for the first page, the third for even pages.
   */
  readonly headers?: readonly string[];
  readonly footers?: readonly string[];
  /** XML of each note (paragraphs); note n has the id n + 1: see `footnoteReference`. */
  readonly footnotes?: readonly string[];
  readonly endnotes?: readonly string[];
  /** XML of each comment; comment n has the id n. */
  readonly comments?: readonly string[];
  /** More parts, or replacements of generated ones; null leaves a generated part out. Names without a leading slash. */
  readonly parts?: Readonly<Record<string, string | Uint8Array | null>>;
  /** More content types: a key with a slash is a part name, any other a file extension. */
  readonly contentTypes?: Readonly<Record<string, string>>;
  /** More relationships of the main part. */
  readonly rels?: readonly DocxRelationship[];
  readonly mainContentType?: string;
  readonly compression?: 'deflate' | 'store';
}

/** A complete .docx that Word and LibreOffice open. */
export function buildDocx(input: DocxInput = {}): Buffer {
  return buildZip(docxParts(input), input.compression);
}

/** The parts of `buildDocx`, for tests that build the archive themselves. */
export function docxParts(input: DocxInput = {}): Map<string, string | Uint8Array> {
  const stories = storyParts(input);
  const overrides: Record<string, string> = {
    'word/document.xml': input.mainContentType ?? `${wordMime}.document.main+xml`,
    'word/styles.xml': `${wordMime}.styles+xml`,
  };
  const rels: DocxRelationship[] = [{ id: 'rIdStyles', type: 'styles', target: 'styles.xml' }];
  for (const story of stories) {
    overrides[`word/${story.file}`] = `${wordMime}.${story.kind}+xml`;
    rels.push({ id: story.id, type: story.kind, target: story.file });
  }
  rels.push(...(input.rels ?? []));
  const parts = new Map<string, string | Uint8Array>([
    ['[Content_Types].xml', contentTypesXml({ ...overrides, ...input.contentTypes })],
    ['_rels/.rels', relationshipsXml([{ id: 'rId1', type: 'officeDocument', target: 'word/document.xml' }])],
    ['word/document.xml', documentXml(input)],
    ['word/_rels/document.xml.rels', relationshipsXml(rels)],
    ['word/styles.xml', stylesXml],
    ...stories.map((story): [string, string] => [`word/${story.file}`, story.xml]),
  ]);
  for (const [name, content] of Object.entries(input.parts ?? {})) {
    if (content === null) parts.delete(name);
    else parts.set(name, content);
  }
  return parts;
}

/** A paragraph; `text` may be split over several runs by passing an array, as Word does when it edits. */
export function paragraph(text: string | readonly string[]): string {
  const texts = typeof text === 'string' ? [text] : text;
  return `<w:p>${texts.map(run).join('')}</w:p>`;
}

export function run(text: string): string {
  return `<w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`;
}

/** A table; a cell is text, or XML when it starts with `<w:`. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(1, ...rows.map((row) => row.length));
  const grid = `<w:gridCol w:w="${Math.floor(9000 / columns)}"/>`.repeat(columns);
  const cell = (content: string) =>
    `<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr>${content.startsWith('<w:') ? content : paragraph(content)}</w:tc>`;
  const body = rows.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('');
  return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${body}</w:tbl>`;
}

/** A paragraph with a text box, in the markup for new and for old programs. */
export function textBox(content: string): string {
  return (
    '<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0">' +
    '<wp:extent cx="3000000" cy="2000000"/><wp:docPr id="1" name="Box"/><a:graphic>' +
    '<a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/>' +
    '<wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="3000000" cy="2000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>' +
    `</wps:spPr><wps:txbx><w:txbxContent>${content}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic>` +
    '</wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape id="s1" style="width:240pt;height:160pt"><v:textbox>' +
    `<w:txbxContent>${content}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`
  );
}

export function contentControl(content: string): string {
  return `<w:sdt><w:sdtPr><w:id w:val="12345"/></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
}

/** A run that refers to note `id` (1 is the first of `footnotes`); put it in a paragraph: `<w:p>...</w:p>`. */
export function footnoteReference(id: number): string {
  return `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
}

export function endnoteReference(id: number): string {
  return `<w:r><w:endnoteReference w:id="${id}"/></w:r>`;
}

export function relationshipsXml(rels: readonly DocxRelationship[]): string {
  const items = rels.map(({ id, type, target, external }) => {
    const uri = type.includes('/') ? type : `${officeRels}/${type}`;
    const mode = external === true ? ' TargetMode="External"' : '';
    return `<Relationship Id="${escapeXml(id)}" Type="${escapeXml(uri)}" Target="${escapeXml(target)}"${mode}/>`;
  });
  return `${xmlHead}<Relationships xmlns="${packageNs}/relationships">${items.join('')}</Relationships>`;
}

export function contentTypesXml(types: Readonly<Record<string, string>>): string {
  const all: Record<string, string> = {
    rels: 'application/vnd.openxmlformats-package.relationships+xml',
    xml: 'application/xml',
    png: 'image/png',
    ...types,
  };
  const items = Object.entries(all).map(([key, type]) =>
    key.includes('/')
      ? `<Override PartName="/${escapeXml(key)}" ContentType="${escapeXml(type)}"/>`
      : `<Default Extension="${escapeXml(key)}" ContentType="${escapeXml(type)}"/>`,
  );
  return `${xmlHead}<Types xmlns="${packageNs}/content-types">${items.join('')}</Types>`;
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A plain zip of the given files, in the given order. */
export function buildZip(
  files: ReadonlyMap<string, string | Uint8Array>,
  compression: 'deflate' | 'store' = 'deflate',
): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const data = Buffer.from(content);
    const raw = compression === 'store' ? data : deflateRawSync(data);
    const nameBytes = Buffer.from(name);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(20, 4);
    header.writeUInt16LE(0x0800, 6);
    header.writeUInt16LE(compression === 'store' ? 0 : 8, 8);
    header.writeUInt16LE(0x0021, 12);
    header.writeUInt32LE(crc32(data), 14);
    header.writeUInt32LE(raw.length, 18);
    header.writeUInt32LE(data.length, 22);
    header.writeUInt16LE(nameBytes.length, 26);
    const record = Buffer.alloc(46);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE(20, 4);
    header.copy(record, 6, 4, 30);
    record.writeUInt32LE(offset, 42);
    local.push(header, nameBytes, raw);
    central.push(record, nameBytes);
    offset += header.length + nameBytes.length + raw.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}

interface Story {
  readonly kind: 'header' | 'footer' | 'footnotes' | 'endnotes' | 'comments';
  readonly id: string;
  readonly file: string;
  readonly xml: string;
}

const pageTypes = ['default', 'first', 'even'] as const;

function storyParts(input: DocxInput): Story[] {
  const stories: Story[] = [];
  const add = (kind: Story['kind'], id: string, file: string, root: string, content: string) =>
    stories.push({ kind, id, file, xml: `${xmlHead}<w:${root} ${namespaces}>${content}</w:${root}>` });
  for (const [i, xml] of (input.headers ?? []).entries())
    add('header', `rIdH${i + 1}`, `header${i + 1}.xml`, 'hdr', xml);
  for (const [i, xml] of (input.footers ?? []).entries())
    add('footer', `rIdF${i + 1}`, `footer${i + 1}.xml`, 'ftr', xml);
  for (const kind of ['footnotes', 'endnotes'] as const) {
    const notes = input[kind];
    if (notes !== undefined)
      add(kind, `rId${kind}`, `${kind}.xml`, kind, notesXml(kind === 'footnotes' ? 'footnote' : 'endnote', notes));
  }
  const comments = input.comments?.map((xml, i) => `<w:comment w:id="${i}" w:author="A">${xml}</w:comment>`);
  if (comments !== undefined) add('comments', 'rIdcomments', 'comments.xml', 'comments', comments.join(''));
  return stories;
}

function notesXml(element: string, notes: readonly string[]): string {
  const separators =
    `<w:${element} w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:${element}>` +
    `<w:${element} w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:${element}>`;
  return separators + notes.map((xml, i) => `<w:${element} w:id="${i + 1}">${xml}</w:${element}>`).join('');
}

function documentXml(input: DocxInput): string {
  const references = (kind: 'header' | 'footer', prefix: string, stories: readonly string[] = []) =>
    stories
      .map((_, i) => `<w:${kind}Reference w:type="${pageTypes[i] ?? 'default'}" r:id="${prefix}${i + 1}"/>`)
      .join('');
  const firstPage = Math.max(input.headers?.length ?? 0, input.footers?.length ?? 0) > 1 ? '<w:titlePg/>' : '';
  const page =
    input.section ??
    '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" ' +
      'w:header="708" w:footer="708" w:gutter="0"/>';
  const section = `<w:sectPr>${references('header', 'rIdH', input.headers)}${references('footer', 'rIdF', input.footers)}${page}${firstPage}</w:sectPr>`;
  return `${xmlHead}<w:document ${namespaces}><w:body>${input.body ?? paragraph('Hello')}${section}</w:body></w:document>`;
}

const stylesXml =
  `${xmlHead}<w:styles xmlns:w="${wordNs}"><w:docDefaults><w:rPrDefault><w:rPr>` +
  '<w:rFonts w:ascii="Carlito" w:hAnsi="Carlito" w:cs="Carlito"/><w:sz w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults>' +
  '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style></w:styles>';

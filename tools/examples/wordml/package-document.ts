import PizZip from 'pizzip';
import { numberingXml } from './numbering.ts';
import { documentProperties, extendedProperties, fontTable, settings } from './small-parts.ts';
import { stylesXml } from './styles.ts';
import { themeXml } from './theme.ts';
import { xmlDeclaration } from './xml.ts';

export type WordDocument = {
  readonly title: string;
  readonly subject: string;
  readonly keywords: string;
  /** Block elements; the last one holds the section properties. */
  readonly body: readonly string[];
  /** By file name: `header1.xml`, `footer1.xml` … */
  readonly headersAndFooters: Readonly<Record<string, readonly string[]>>;
  /** By file name under `word/media`. */
  readonly media: Readonly<Record<string, Buffer>>;
  readonly footnotes?: string;
  /** Asks Word to refresh fields, such as a table of contents, when it opens the document. */
  readonly updateFields?: boolean;
};

const namespaces = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
].join(' ');
const officeRelationship = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelationship = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The bytes of the .docx, which are reproducible on every machine. */
export function packageDocument(document: WordDocument): Buffer {
  const zip = new PizZip();
  // Zip timestamps have no time zone, so a local time is stored with the same digits everywhere.
  const date = new Date(2026, 0, 5, 9, 0, 0);
  for (const [name, content] of Object.entries({ ...packageParts(document), ...wordParts(document) })) {
    zip.file(name, content, { date, createFolders: false });
  }
  return zip.generate({ type: 'nodebuffer', compression: 'DEFLATE' });
}

function packageParts(document: WordDocument): Record<string, string> {
  return {
    '[Content_Types].xml': contentTypes(document),
    '_rels/.rels': relationships([
      `${officeRelationship}/officeDocument|word/document.xml`,
      `${packageRelationship}/metadata/core-properties|docProps/core.xml`,
      `${officeRelationship}/extended-properties|docProps/app.xml`,
    ]),
    'docProps/core.xml': documentProperties(document),
    'docProps/app.xml': extendedProperties(),
  };
}

function wordParts(document: WordDocument): Record<string, string | Buffer> {
  const parts: Record<string, string | Buffer> = {};
  const nextId = counter();
  const addStory = (file: string, element: string, blocks: readonly string[], always: readonly string[] = []) => {
    const root = `<w:${element} ${namespaces}>${blocks.join('')}</w:${element}>`;
    const linked = linkTargets(numberPictures(root, nextId), always);
    parts[`word/${file}`] = xmlDeclaration + linked.xml;
    if (linked.targets.length > 0) parts[`word/_rels/${file}.rels`] = relationships(linked.targets.map(typedTarget));
  };
  const body = `<w:body>${document.body.join('')}</w:body>`;
  addStory('document.xml', 'document', [body], Object.keys(sideParts(document)));
  for (const [file, blocks] of Object.entries(document.headersAndFooters)) {
    addStory(file, file.startsWith('header') ? 'hdr' : 'ftr', blocks);
  }
  for (const [file, content] of Object.entries(sideParts(document))) parts[`word/${file}`] = content;
  for (const [file, content] of Object.entries(document.media)) parts[`word/media/${file}`] = content;
  return parts;
}

function sideParts(document: WordDocument): Record<string, string> {
  const wrap = (element: string, content: string) =>
    `${xmlDeclaration}<w:${element} ${namespaces}>${content}</w:${element}>`;
  return {
    'styles.xml': stylesXml(),
    'settings.xml': settings({
      updateFields: document.updateFields === true,
      hasFootnotes: document.footnotes !== undefined,
    }),
    'fontTable.xml': fontTable(),
    'theme/theme1.xml': themeXml(),
    'numbering.xml': wrap('numbering', numberingXml()),
    ...(document.footnotes === undefined ? {} : { 'footnotes.xml': wrap('footnotes', document.footnotes) }),
  };
}

/** Replaces every `rel:target` of a part by a relationship id, in order of appearance. */
function linkTargets(xml: string, always: readonly string[]): { xml: string; targets: string[] } {
  const targets = [...always];
  const linked = xml.replace(/"rel:([^"]+)"/g, (_, target: string) => {
    if (!targets.includes(target)) targets.push(target);
    return `"rId${targets.indexOf(target) + 1}"`;
  });
  return { xml: linked, targets };
}

function numberPictures(xml: string, nextId: () => number): string {
  let id = 0;
  return xml.replace(/docPr:(next|same)/g, (_, which: string) => {
    if (which === 'next') id = nextId();
    return String(id);
  });
}

function counter(): () => number {
  let last = 0;
  return () => ++last;
}

const partKind = (target: string): string =>
  target.startsWith('media/') ? 'image' : target.replace(/^.*\//, '').replace(/\d*\.xml$/, '');
const typedTarget = (target: string): string => `${officeRelationship}/${partKind(target)}|${target}`;

function relationships(typedTargets: readonly string[]): string {
  const items = typedTargets.map((item, index) => {
    const [type, target] = item.split('|');
    return `<Relationship Id="rId${index + 1}" Type="${type}" Target="${target}"/>`;
  });
  return `${xmlDeclaration}<Relationships xmlns="${packageRelationship}">${items.join('')}</Relationships>`;
}

function contentTypes(document: WordDocument): string {
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
  const typeOf = (file: string) =>
    file.startsWith('theme/') ? 'application/vnd.openxmlformats-officedocument.theme' : `${word}.${partKind(file)}`;
  const files = [...Object.keys(sideParts(document)), ...Object.keys(document.headersAndFooters)];
  const override = (part: string, type: string) => `<Override PartName="/${part}" ContentType="${type}+xml"/>`;
  return [
    `${xmlDeclaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">`,
    '<Default Extension="png" ContentType="image/png"/>',
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    override('word/document.xml', `${word}.document.main`),
    ...files.map((file) => override(`word/${file}`, typeOf(file))),
    override('docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties'),
    override('docProps/app.xml', 'application/vnd.openxmlformats-officedocument.extended-properties'),
    '</Types>',
  ].join('');
}

import { packageNamespaces, relationshipNamespaces, wordNamespaces } from '@docmill/word/namespaces';
import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import type { DocxPackage } from '../package/open-package.ts';
import { type AccountFamily, type FontStyle, fontPartName } from './account-family.ts';

const tableType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.fontTable+xml';
const fontType = 'application/vnd.openxmlformats-officedocument.obfuscatedFont';
const contentTypes = '[Content_Types].xml';
const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** The obfuscation key of a font that is not obfuscated. */
const noKey = '{00000000-0000-0000-0000-000000000000}';

const elements: Readonly<Record<FontStyle, string>> = {
  regular: 'embedRegular',
  bold: 'embedBold',
  italic: 'embedItalic',
  boldItalic: 'embedBoldItalic',
};

/** The parts that declare embedded fonts: font table, relationships and content types. */
export function declareFonts(docx: DocxPackage, families: readonly AccountFamily[]): Map<string, Buffer> {
  const changes = new Map<string, string>();
  const read = (name: string): string | undefined => changes.get(name) ?? docx.readText(name);
  const actual = (name: string): string => docx.entry(name)?.name ?? name;
  const append = (name: string, root: string, content: string): void => {
    const part = actual(name);
    changes.set(part, insertLast(read(part), root, content));
  };
  const mainRels = relationshipsPartOf(docx.mainPart);
  const found = findFontTable(docx, mainRels);
  const table = found ?? newPartName(docx, `${folderOf(docx.mainPart)}accountFonts.xml`);
  const types = families.flatMap(({ alias, styles }) =>
    styles.map((style) => overrideType(fontPartName(alias, style), fontType)),
  );
  append(table, `<w:fonts xmlns:w="${wordNamespaces.transitional}"></w:fonts>`, families.map(toFontElement).join(''));
  append(
    relationshipsPartOf(table),
    `<Relationships xmlns="${packageNamespaces.relationships}"></Relationships>`,
    families.flatMap((family) => family.styles.map((style) => toRelationship(family, style))).join(''),
  );
  if (found === undefined) {
    types.push(overrideType(table, tableType));
    const target = `Type="${relationshipNamespaces.transitional}/fontTable" Target="/${table}"`;
    append(
      mainRels,
      `<Relationships xmlns="${packageNamespaces.relationships}"></Relationships>`,
      `<Relationship xmlns="${packageNamespaces.relationships}" Id="accountFonts" ${target}/>`,
    );
  }
  append(contentTypes, '<Types/>', types.join(''));
  return new Map(Array.from(changes, ([name, xml]) => [name, Buffer.from(xml)]));
}

/** The document's font table, unless its root element has no end tag to insert before. */
function findFontTable(docx: DocxPackage, mainRels: string): string | undefined {
  const table = readRelationships(docx.readText(mainRels) ?? '').find(
    ({ kind, isExternal }) => kind === 'fonttable' && !isExternal,
  );
  if (table === undefined) return undefined;
  return docx.entry(resolveTarget(docx.mainPart, table.target))?.name;
}

function newPartName(docx: DocxPackage, name: string): string {
  return docx.entry(name) === undefined ? name : newPartName(docx, name.replace(/\.xml$/, '-.xml'));
}

function folderOf(partName: string): string {
  return partName.slice(0, partName.lastIndexOf('/') + 1);
}

function toFontElement({ alias, styles }: AccountFamily): string {
  const fonts = styles.map((style) => `<w:${elements[style]} r:id="${alias}-${style}" w:fontKey="${noKey}"/>`);
  return `<w:font xmlns:w="${wordNamespaces.transitional}" xmlns:r="${relationshipNamespaces.transitional}" w:name="${alias}">${fonts.join('')}</w:font>`;
}

function toRelationship({ alias }: AccountFamily, style: FontStyle): string {
  const target = `/${fontPartName(alias, style)}`;
  return `<Relationship xmlns="${packageNamespaces.relationships}" Id="${alias}-${style}" Type="${relationshipNamespaces.transitional}/font" Target="${target}"/>`;
}

function overrideType(part: string, type: string): string {
  return `<Override xmlns="${packageNamespaces.contentTypes}" PartName="/${encodeURI(part)}" ContentType="${type}"/>`;
}

/** Adds content before the end tag of the root. A part without one is replaced by an empty root. */
function insertLast(xml: string | undefined, emptyRoot: string, content: string): string {
  const text = xml !== undefined && /<\/[^>]*>\s*$/.test(xml) ? xml : xmlHead + emptyRoot;
  const end = text.lastIndexOf('</');
  return text.slice(0, end) + content + text.slice(end);
}

import { packageNamespaces } from '@docmill/word/namespaces';
import { readRelationships, resolveTarget } from '@docmill/word/relationships';
import { TextEdits } from '@docmill/word/text-edits';
import { scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';
import { appendChild } from '../../package/append-child.ts';
import type { DocxPackage } from '../../package/open-package.ts';

const propertiesNamespace = 'http://schemas.openxmlformats.org/package/2006/metadata/core-properties';
const relationshipType = `${packageNamespaces.relationships}/metadata/core-properties`;
const contentType = 'application/vnd.openxmlformats-package.core-properties+xml';
const termsNamespace = 'http://purl.org/dc/terms/';
const schemaNamespace = 'http://www.w3.org/2001/XMLSchema-instance';
const newPart = 'docProps/core.xml';

const rootRelationships = '_rels/.rels';
const contentTypes = '[Content_Types].xml';

/**
 * Sets `date` (ISO 8601, UTC) in the core properties (ECMA-376 part 2, 8.2) as the time of creation, of the last change
 * and, if there is one, of the last printing. Adds core properties to a package without them.
 */
export function datedProperties(docx: DocxPackage, date: string): ReadonlyMap<string, Buffer> {
  const written = `${date.slice(0, 19)}Z`;
  const relationships = docx.readText(rootRelationships) ?? '';
  const found = readRelationships(relationships).find(
    ({ kind, isExternal }) => kind === 'core-properties' && !isExternal,
  );
  const name = found && docx.entry(resolveTarget('', found.target))?.name;
  const xml = name === undefined ? undefined : docx.readText(name);
  if (name !== undefined && xml !== undefined) return new Map([[name, Buffer.from(withDates(xml, written))]]);
  // The package stays unchanged if a relationship leads to a missing part, or if nothing refers to the part.
  if (found !== undefined || docx.entry(newPart) !== undefined || relationships === '') return new Map();
  return addedProperties(docx, relationships, written);
}

function withDates(xml: string, date: string): string {
  const edits = new TextEdits();
  const missing = new Set(['created', 'modified']);
  let root: XmlTag | undefined;
  let open: { readonly local: string; readonly end: number } | undefined;
  scanXmlTags(xml, (tag) => {
    root ??= tag;
    const { kind, local, start, end } = tag;
    if (!['created', 'modified', 'lastPrinted'].includes(local)) return;
    if (kind === 'open') open = { local, end };
    if (kind === 'empty' && missing.delete(local)) edits.replace(start, end, dateElement(local, date));
    if (kind !== 'close' || open?.local !== local) return;
    edits.replace(open.end, start, date);
    missing.delete(local);
  });
  const dated = edits.apply(xml);
  if (root === undefined || missing.size === 0) return dated;
  return appendChild(
    dated,
    propertiesNamespace,
    [...missing].map((name) => dateElement(name, date)),
  );
}

function dateElement(name: string, date: string): string {
  const namespaces = `xmlns:dcterms="${termsNamespace}" xmlns:xsi="${schemaNamespace}"`;
  return `<dcterms:${name} ${namespaces} xsi:type="dcterms:W3CDTF">${date}</dcterms:${name}>`;
}

function addedProperties(docx: DocxPackage, relationships: string, date: string): ReadonlyMap<string, Buffer> {
  const elements = ['created', 'modified'].map((name) => dateElement(name, date)).join('');
  const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  const xml = `${declaration}<cp:coreProperties xmlns:cp="${propertiesNamespace}">${elements}</cp:coreProperties>`;
  const ids = new Set(readRelationships(relationships).map(({ id }) => id.toLowerCase()));
  let id = 'rIdProperties';
  for (let i = 2; ids.has(id.toLowerCase()); i++) id = `rIdProperties${i}`;
  const relationship = `<Relationship Id="${id}" Type="${relationshipType}" Target="${newPart}"/>`;
  const override = `<Override PartName="/${newPart}" ContentType="${contentType}"/>`;
  const types = docx.readText(contentTypes) ?? '';
  return new Map([
    [newPart, Buffer.from(xml)],
    [
      nameOf(docx, rootRelationships),
      Buffer.from(appendChild(relationships, packageNamespaces.relationships, [relationship])),
    ],
    [nameOf(docx, contentTypes), Buffer.from(appendChild(types, packageNamespaces.contentTypes, [override]))],
  ]);
}

const nameOf = (docx: DocxPackage, name: string): string => docx.entry(name)?.name ?? name;

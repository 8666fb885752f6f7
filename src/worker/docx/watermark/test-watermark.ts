import { packageNamespaces } from '@docmill/word/namespaces';
import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import { TextEdits } from '@docmill/word/text-edits';
import { readAttributes, scanXmlTags, tagName, type XmlTag } from '@docmill/word/xml-tokens';
import { appendChild } from '../package/append-child.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { type HeaderType, isOn, readSections, type Section } from './sections.ts';
import {
  type Flavour,
  flavourOf,
  headerReference,
  headerRelationship,
  watermarkHeader,
  watermarkParagraph,
  watermarkRun,
} from './word-art.ts';

const headerContentType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml';
const contentTypes = '[Content_Types].xml';
const headerHeightTwips = 20;

/**
 * The changes that put the word TEST behind the text of every page. Each header gets it in its first paragraph, where
 * it takes no space. Pages without a header get one that is a point high and never reaches into the text.
 */
export function testWatermark(docx: DocxPackage): ReadonlyMap<string, Buffer> {
  const main = docx.readText(docx.mainPart) ?? '';
  const flavour = flavourOf(main);
  const relsName = relationshipsPartOf(docx.mainPart);
  const rels = docx.readText(relsName) ?? `<Relationships xmlns="${packageNamespaces.relationships}"/>`;
  const relationships = readRelationships(rels).filter(({ isExternal }) => !isExternal);
  const changes = new Map<string, Buffer>();
  for (const { kind, target } of relationships) {
    const name = kind === 'header' ? docx.entry(resolveTarget(docx.mainPart, target))?.name : undefined;
    if (name !== undefined) changes.set(name, Buffer.from(markedHeader(docx.readText(name) ?? '')));
  }
  const ids = new Set(relationships.map(({ id }) => id.toLowerCase()));
  const id = unused('rIdTest', (candidate) => ids.has(candidate.toLowerCase()));
  const marked = withHeaders(main, flavour, id, hasEvenPages(docx, relationships));
  if (marked === undefined) return changes;
  const folder = docx.mainPart.slice(0, docx.mainPart.lastIndexOf('/') + 1);
  const file = unused('headerTest', (candidate) => docx.entry(`${folder}${candidate}.xml`) !== undefined);
  const override = `<Override PartName="/${folder}${file}.xml" ContentType="${headerContentType}"/>`;
  const relationship = headerRelationship(flavour, id, `${file}.xml`);
  const nameOf = (name: string): string => docx.entry(name)?.name ?? name;
  return new Map([
    ...changes,
    [docx.mainPart, Buffer.from(marked)],
    [`${folder}${file}.xml`, Buffer.from(watermarkHeader(flavour))],
    [nameOf(relsName), Buffer.from(appendChild(rels, packageNamespaces.relationships, [relationship]))],
    [
      nameOf(contentTypes),
      Buffer.from(appendChild(docx.readText(contentTypes) ?? '', packageNamespaces.contentTypes, [override])),
    ],
  ]);
}

function unused(name: string, isUsed: (name: string) => boolean): string {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}${n}`;
    if (!isUsed(candidate)) return candidate;
  }
}

function hasEvenPages(docx: DocxPackage, relationships: ReturnType<typeof readRelationships>): boolean {
  const target = relationships.find(({ kind }) => kind === 'settings')?.target;
  const xml = target === undefined ? undefined : docx.readText(resolveTarget(docx.mainPart, target));
  let isFound = false;
  if (xml === undefined) return false;
  scanXmlTags(xml, (tag) => {
    if (tag.local === 'evenAndOddHeaders' && tag.kind !== 'close') isFound = isOn(xml, tag);
  });
  return isFound;
}

/** The header with the watermark in its first paragraph, after the paragraph's properties. */
function markedHeader(xml: string): string {
  const flavour = flavourOf(xml);
  let prefix: string | undefined;
  let paragraph: XmlTag | undefined;
  let at: number | undefined;
  let nested = 0;
  scanXmlTags(xml, (tag) => {
    const name = tagName(xml, tag);
    prefix ??= name.slice(0, name.length - tag.local.length);
    if (at !== undefined || name.length - tag.local.length !== prefix.length) return;
    if (paragraph === undefined) {
      if (tag.local === 'p' && tag.kind !== 'close') paragraph = tag;
      return;
    }
    // A tracked change of the properties contains another set of properties.
    if (tag.local === 'pPr' && tag.kind !== 'empty') nested += tag.kind === 'open' ? 1 : -1;
    if (nested === 0) at = tag.local === 'pPr' ? tag.end : paragraph.end;
  });
  if (paragraph === undefined) return withLastChild(xml, watermarkParagraph(flavour));
  const run = watermarkRun(flavour);
  const isEmpty = paragraph.kind === 'empty';
  const [start, end] = isEmpty ? [paragraph.start, paragraph.end] : [at ?? paragraph.end, at ?? paragraph.end];
  return `${xml.slice(0, start)}${isEmpty ? opening(xml, paragraph, run) : run}${xml.slice(end)}`;
}

/** Needs no default namespace, because the children declare their own. */
const withLastChild = (xml: string, child: string): string => appendChild(xml, '', [child]);

/** Rewrites an empty element so that it holds `content`. */
function opening(xml: string, tag: XmlTag, content: string): string {
  return `${xml.slice(tag.start, tag.end - 2).trimEnd()}>${content}</${tagName(xml, tag)}>`;
}

/** The document with references to the new header where a page has none. Undefined if every page has a header. */
function withHeaders(xml: string, flavour: Flavour, id: string, hasEven: boolean): string | undefined {
  const sections = readSections(xml);
  if (sections.length === 0) return withSection(xml, flavour, id);
  const edits = new TextEdits();
  const known = new Set<HeaderType>();
  let hasHeader = false;
  let opened = '';
  for (const section of sections) {
    for (const type of section.headers.keys()) known.add(type);
    hasHeader ||= section.headers.size > 0;
    const needed: readonly HeaderType[] = [
      'default',
      ...(section.hasTitlePage ? (['first'] as const) : []),
      ...(hasEven ? (['even'] as const) : []),
    ];
    const missing = needed.filter((type) => !known.has(type));
    if (!hasHeader) limitHeader(xml, section, edits);
    if (missing.length === 0) continue;
    for (const type of missing) known.add(type);
    opened = missing.map((type) => headerReference(flavour, type, id)).join('');
    const { tag } = section;
    if (tag.kind === 'empty') edits.replace(tag.start, tag.end, opening(xml, tag, opened));
    else edits.replace(tag.end, tag.end, opened);
  }
  return opened === '' ? undefined : edits.apply(xml);
}

/** Moves up a header that would reach into the text. A negative top margin is exact: no header moves the text. */
function limitHeader(xml: string, { margins }: Section, edits: TextEdits): void {
  if (margins === undefined) return;
  const attributes = new Map(readAttributes(xml, margins).map((attribute) => [attribute.local, attribute]));
  const [top, header] = [attributes.get('top'), attributes.get('header')];
  const topTwips = Number(top?.value);
  if (header === undefined || !(topTwips >= 0) || !(Number(header.value) + headerHeightTwips > topTwips)) return;
  edits.replace(header.valueStart, header.end - 1, String(Math.max(0, topTwips - headerHeightTwips)));
}

/** Adds a section before the end of the document's body. */
function withSection(xml: string, flavour: Flavour, id: string): string | undefined {
  let at = -1;
  let name = '';
  scanXmlTags(xml, (tag) => {
    if (tag.local !== 'body' || tag.kind !== 'close') return;
    at = tag.start;
    name = tagName(xml, tag).replace(/body$/, 'sectPr');
  });
  if (at < 0) return undefined;
  return `${xml.slice(0, at)}<${name}>${headerReference(flavour, 'default', id)}</${name}>${xml.slice(at)}`;
}

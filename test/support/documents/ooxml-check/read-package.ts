import { DOMParser, type Document, type Element } from '@xmldom/xmldom';
import PizZip from 'pizzip';

export const wordNs = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
export const word14Ns = 'http://schemas.microsoft.com/office/word/2010/wordml';
export const drawingNs = 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing';
export const officeRelsNs = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface CheckedPart {
  readonly name: string;
  readonly document: Document;
  readonly relationships: ReadonlyMap<string, CheckedRelationship>;
}

export interface CheckedRelationship {
  /** The last segment of its type: `image`. */
  readonly type: string;
  /** A part name, or the address of an external target. */
  readonly target: string;
  readonly isExternal: boolean;
}

export interface CheckedPackage {
  readonly names: ReadonlySet<string>;
  /** The XML parts, relationships parts left out. */
  readonly parts: readonly CheckedPart[];
  readonly contentTypes: Document;
}

/** Reads every XML part; throws if one is not well-formed. */
export function readPackage(file: Uint8Array): CheckedPackage {
  const zip = new PizZip(Buffer.from(file));
  const names = Object.values(zip.files)
    .filter((entry) => !entry.dir)
    .map((entry) => entry.name);
  const read = (name: string) => parse(zip.file(name)?.asText() ?? '', name);
  const parts = names
    .filter((name) => name.endsWith('.xml') && name !== '[Content_Types].xml')
    .map((name) => {
      const rels = name.replace(/([^/]*)$/, '_rels/$1.rels');
      const relationships = names.includes(rels) ? relationshipsOf(read(rels), name) : new Map();
      return { name, document: read(name), relationships };
    });
  return { names: new Set(names), parts, contentTypes: read('[Content_Types].xml') };
}

function parse(xml: string, name: string): Document {
  const onError = (level: string, message: string) => {
    throw new Error(`${name} is not well-formed (${level}): ${message}`);
  };
  return new DOMParser({ onError }).parseFromString(xml.replace(/^\uFEFF/, ''), 'text/xml');
}

function relationshipsOf(document: Document, owner: string): Map<string, CheckedRelationship> {
  return new Map(
    elements(document, '*', 'Relationship').map((entry) => {
      const isExternal = entry.getAttribute('TargetMode') === 'External';
      const target = entry.getAttribute('Target') ?? '';
      const type = (entry.getAttribute('Type') ?? '').replace(/^.*\//, '');
      const resolved = isExternal ? target : decodeURI(new URL(target, `package:///${owner}`).pathname.slice(1));
      return [entry.getAttribute('Id') ?? '', { type, target: resolved, isExternal }];
    }),
  );
}

/** All elements of a name below a node, in document order. */
export function elements(from: Document | Element, namespace: string, name: string): Element[] {
  return [...from.getElementsByTagNameNS(namespace, name)];
}

export function children(of: Element): Element[] {
  return [...of.childNodes].filter((node): node is Element => node.nodeType === 1);
}

/** An attribute of the element's own namespace, empty without one. */
export function attribute(of: Element, name: string): string {
  return of.getAttributeNS(of.namespaceURI, name) ?? '';
}

import { wordNamespaces } from '../../../docx/package/namespaces.ts';
import {
  decodeEntities,
  readAttributes,
  scanXml,
  tagName,
  type XmlSpan,
  type XmlTag,
} from '../../../docx/package/xml-tokens.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { XmlElement } from './xml-element.ts';

const strict = 'http://purl.oclc.org/ooxml';
const prefixes: ReadonlyMap<string, string> = new Map([
  [wordNamespaces.transitional, 'w'],
  // The namespaces of ISO/IEC 29500-1 Strict; lengths with units are refused where they are read.
  [wordNamespaces.strict, 'w'],
  [`${strict}/officeDocument/relationships`, 'r'],
  [`${strict}/officeDocument/math`, 'm'],
  [`${strict}/drawingml/wordprocessingDrawing`, 'wp'],
  [`${strict}/drawingml/main`, 'a'],
  [`${strict}/drawingml/picture`, 'pic'],
  ['http://schemas.openxmlformats.org/officeDocument/2006/relationships', 'r'],
  ['http://schemas.openxmlformats.org/markup-compatibility/2006', 'mc'],
  ['http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing', 'wp'],
  ['http://schemas.openxmlformats.org/drawingml/2006/main', 'a'],
  ['http://schemas.openxmlformats.org/drawingml/2006/picture', 'pic'],
  ['http://schemas.openxmlformats.org/officeDocument/2006/math', 'm'],
  ['http://schemas.microsoft.com/office/word/2010/wordml', 'w14'],
  ['http://schemas.microsoft.com/office/word/2012/wordml', 'w15'],
  ['http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing', 'wp14'],
  ['http://schemas.microsoft.com/office/drawing/2010/main', 'a14'],
  ['http://schemas.microsoft.com/office/drawing/2014/main', 'a16'],
  ['http://www.w3.org/XML/1998/namespace', 'xml'],
]);
/** Elements and attributes of these namespaces never change a page. */
const silent = /^(?:xmlns$|xmlns:|w14:(?:paraId|textId)$|w:rsid|wp14:(?:anchorId|editId)$|mc:Ignorable$)/;
const deepest = 200;
const nothing: readonly XmlElement[] = [];
const none: ReadonlySet<string> = new Set();

type TagPlace = Pick<XmlTag, 'start' | 'end'>;

/** The text of a part, and the usual names for those in it. */
class PartText {
  readonly xml: string;
  /** The tags that declare prefixes, so far. */
  namespaces: string | undefined;
  readonly #prefixes: Map<string, string>;
  readonly #elements: Map<string, string>;

  constructor(xml: string, around?: PartText) {
    this.xml = xml;
    this.namespaces = around?.namespaces;
    this.#prefixes = around === undefined ? new Map([['xml', 'xml']]) : around.#prefixes;
    this.#elements = around === undefined ? new Map() : around.#elements;
  }

  /** A text that is a part of this one, declares no prefixes and may outlive it. */
  within(text: string): PartText {
    // A piece of a string keeps all of it in memory.
    return new PartText(Buffer.from(text).toString(), this);
  }

  elementName(tag: XmlTag): string {
    const name = tagName(this.xml, tag);
    const known = this.#elements.get(name) ?? interned(this.#usualName(name));
    this.#elements.set(name, known);
    return known;
  }

  attributesOf(tag: TagPlace): ReadonlyMap<string, string> {
    const attributes = new Map<string, string>();
    for (const { name, value } of readAttributes(this.xml, tag)) {
      const known = name.startsWith('xmlns') || !name.includes(':') ? name : this.#usualName(name);
      if (!silent.test(known)) attributes.set(known, value);
    }
    return attributes;
  }

  /** Notes the prefixes that a tag declares, with one meaning each in a part; Word never declares one again with another. */
  declarePrefixes(tag: TagPlace): void {
    const text = this.xml.slice(tag.start, tag.end);
    if (!text.includes('xmlns')) return;
    this.namespaces = `${this.namespaces ?? ''}${text}`;
    for (const { name, value } of readAttributes(this.xml, tag)) {
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
      const [prefix, meaning] = [name.slice(6), prefixes.get(value) ?? `{${value}}`];
      if ((this.#prefixes.get(prefix) ?? meaning) !== meaning) throw new UnknownFeature('a prefix with two meanings');
      this.#prefixes.set(prefix, meaning);
      this.#elements.clear();
    }
  }

  #usualName(name: string): string {
    const colon = name.indexOf(':');
    const prefix = this.#prefixes.get(colon < 0 ? '' : name.slice(0, colon)) ?? '?';
    return prefix === '' ? name : `${prefix}:${name.slice(colon + 1)}`;
  }
}

/** The same text as the engine keeps it for names, which it compares by identity. */
function interned(name: string): string {
  return Object.keys({ [name]: name })[0] ?? name;
}

/** Reads its attributes when they are asked for: those of most elements of a long document never are. */
class ParsedElement implements XmlElement {
  readonly name: string;
  children: readonly XmlElement[] = nothing;
  text = '';
  readonly #part: PartText;
  readonly #start: number;
  readonly #end: number;
  #attributes: ReadonlyMap<string, string> | undefined;

  constructor(name: string, part: PartText, { start, end }: TagPlace) {
    this.name = name;
    this.#part = part;
    this.#start = start;
    this.#end = end;
  }

  get attributes(): ReadonlyMap<string, string> {
    this.#attributes ??= this.#part.attributesOf({ start: this.#start, end: this.#end });
    return this.#attributes;
  }
}

/** Elements by their text, for those that a document has many times. */
export interface ElementStore {
  /** Names of elements that are kept, with those in them. */
  readonly names: ReadonlySet<string>;
  /** `namespaces` is the tag that declares the prefixes. */
  get(text: string, namespaces: string): XmlElement | undefined;
  set(text: string, namespaces: string, element: XmlElement): void;
}

/** Groups of properties: most of those in a document are the same as others. */
export const propertyGroups: readonly string[] = ['w:pPr', 'w:rPr', 'w:trPr', 'w:tcPr'];
const groupNames: ReadonlySet<string> = new Set(propertyGroups);
const longestKept = 4_000;

/** Keeps the groups of one part. */
function storeOfPart(): ElementStore {
  const elements = new Map<string, XmlElement>();
  return {
    names: groupNames,
    get: (text) => elements.get(text),
    set: (text, _, element) => elements.set(text, element),
  };
}

/** Reads the tags of a part into elements. */
class ElementReader {
  readonly #part: PartText;
  readonly #ignored: ReadonlySet<string>;
  readonly #store: ElementStore;
  readonly #root: ParsedElement;
  readonly #open: ParsedElement[];
  /** The elements so far, without those in a closed one, and where those in each open one begin. */
  readonly #elements: XmlElement[] = [];
  readonly #starts = [0];
  /** Where an element ends that is already known. */
  #knownUntil = 0;

  constructor(part: PartText, ignored: ReadonlySet<string>, store: ElementStore) {
    this.#part = part;
    this.#ignored = ignored;
    this.#store = store;
    this.#root = new ParsedElement('', this.#part, { start: 0, end: 0 });
    this.#open = [this.#root];
  }

  read(): XmlElement | undefined {
    scanXml(
      this.#part.xml,
      (tag) => this.#tag(tag),
      (span) => this.#text(span),
      () => this.#knownUntil,
    );
    while (this.#open.length > 0) this.#close();
    return this.#root.children[0];
  }

  #tag(tag: XmlTag): void {
    if (tag.kind === 'close') {
      if (this.#open.length > 1) this.#close();
      return;
    }
    this.#part.declarePrefixes(tag);
    const element = new ParsedElement(this.#part.elementName(tag), this.#part, tag);
    if (tag.kind === 'empty') this.#add(element);
    else if (!this.#store.names.has(element.name) || !this.#isKept(tag)) {
      this.#starts.push(this.#elements.length);
      if (this.#open.push(element) > deepest) throw new UnknownFeature('deeply nested elements');
    }
  }

  #text({ kind, start, end }: XmlSpan): void {
    const element = this.#open.at(-1);
    if (element === undefined) return;
    const { xml } = this.#part;
    if (kind === 'text') element.text += decodeEntities(xml.slice(start, end));
    else if (kind === 'cdata') element.text += xml.slice(start + 9, end - 3);
  }

  #add(element: XmlElement): void {
    if (!this.#ignored.has(element.name)) this.#elements.push(element);
  }

  #close(): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    const children = this.#elements.splice(this.#starts.pop() ?? 0);
    if (children.length > 0) element.children = children;
    this.#add(element);
  }

  /** Adds the kept element with the same text instead, which is read and kept if there is none. */
  #isKept(tag: XmlTag): boolean {
    const { xml, namespaces } = this.#part;
    // The first tag of a part, or of a kept element that is being read.
    if (namespaces === undefined || tag.start === 0) return false;
    const name = tagName(xml, tag);
    const closing = `</${name}>`;
    const end = xml.indexOf(closing, tag.end) + closing.length;
    if (end < tag.end || end - tag.start > longestKept) return false;
    const text = xml.slice(tag.start, end);
    // Of two in each other, such as groups in the note of a change, the first end is that of the inner one.
    if (text.includes(`<${name}>`, 1) || text.includes(`<${name} `, 1) || text.includes('xmlns')) return false;
    let element = this.#store.get(text, namespaces);
    if (element === undefined) {
      const part = this.#part.within(text);
      element = new ElementReader(part, this.#ignored, this.#store).read();
      if (element === undefined) return false;
      this.#store.set(part.xml, namespaces, element);
    }
    this.#add(element);
    this.#knownUntil = end;
    return true;
  }
}

/**
 * Reads a part into elements, without those of the `ignored` names. Groups of properties with the same text are the same element, and so is
 * what `store` keeps. Throws UnknownFeature for elements nested deeper than 200 levels and for parts without a root.
 */
export function parseElement(
  xml: string,
  ignored: ReadonlySet<string> = none,
  store: ElementStore = storeOfPart(),
): XmlElement {
  const root = new ElementReader(new PartText(xml), ignored, store).read();
  if (root === undefined) throw new UnknownFeature('an empty part');
  return root;
}

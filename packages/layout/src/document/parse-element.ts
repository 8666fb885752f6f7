import { wordNamespaces } from '@docmill/word/namespaces';
import { decodeEntities, readAttributes, scanXml, tagName, type XmlSpan, type XmlTag } from '@docmill/word/xml-tokens';
import { UnknownFeature } from '../unknown-feature.ts';
import type { XmlElement } from './xml-element.ts';

const strict = 'http://purl.oclc.org/ooxml';
const prefixes: ReadonlyMap<string, string> = new Map([
  [wordNamespaces.transitional, 'w'],
  // The namespaces of ISO/IEC 29500-1 Strict. Its lengths with units are rejected where they are read.
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
  ['http://schemas.microsoft.com/office/drawing/2017/decorative', 'adec'],
  ['http://www.w3.org/XML/1998/namespace', 'xml'],
]);
/** Elements and attributes of these namespaces never change a page. */
const silent = /^(?:xmlns$|xmlns:|w14:(?:paraId|textId)$|w:rsid|wp14:(?:anchorId|editId)$|mc:Ignorable$)/;
const deepest = 200;
const nothing: readonly XmlElement[] = [];
const none: ReadonlySet<string> = new Set();

type TagPlace = Pick<XmlTag, 'start' | 'end'>;

/** The text of a part, and the usual names of the elements and attributes in it. */
class PartText {
  readonly xml: string;
  /** The tags so far that declare prefixes. */
  namespaces: string | undefined;
  readonly #prefixes: Map<string, string>;
  readonly #elements: Map<string, string>;

  constructor(xml: string, around?: PartText) {
    this.xml = xml;
    this.namespaces = around?.namespaces;
    this.#prefixes = around === undefined ? new Map([['xml', 'xml']]) : around.#prefixes;
    this.#elements = around === undefined ? new Map() : around.#elements;
  }

  /** A substring of this text that declares no prefixes and may outlive it. */
  within(text: string): PartText {
    // A slice of a string would keep the whole string in memory.
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

  /** Records the prefixes that a tag declares. A prefix has only one meaning in a part; Word never redeclares one. */
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

/** An interned copy of the string, which the engine compares by identity. */
function interned(name: string): string {
  return Object.keys({ [name]: name })[0] ?? name;
}

/** Parses attributes on demand, because most elements of a long document never need them. */
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

/** Elements by their text, for those that occur many times in a document. */
export interface ElementStore {
  /** Names of the elements that are kept, including their descendants. */
  readonly names: ReadonlySet<string>;
  /** `namespaces` is the tag that declares the prefixes in use. */
  get(text: string, namespaces: string): XmlElement | undefined;
  set(text: string, namespaces: string, element: XmlElement): void;
}

/** Groups of properties, most of which occur many times in a document. */
export const propertyGroups: readonly string[] = ['w:pPr', 'w:rPr', 'w:trPr', 'w:tcPr'];
const groupNames: ReadonlySet<string> = new Set(propertyGroups);
const longestKept = 4_000;

/** Keeps the property groups of one part. */
function storeOfPart(): ElementStore {
  const elements = new Map<string, XmlElement>();
  return {
    names: groupNames,
    get: (text) => elements.get(text),
    set: (text, _, element) => elements.set(text, element),
  };
}

/** Builds elements from the tags of a part. */
class ElementReader {
  readonly #part: PartText;
  readonly #ignored: ReadonlySet<string>;
  readonly #store: ElementStore;
  readonly #root: ParsedElement;
  readonly #open: ParsedElement[];
  /** The elements so far, excluding descendants of closed ones, and the start index of each open element's children. */
  readonly #elements: XmlElement[] = [];
  readonly #starts = [0];
  /** The end of an element that is already known. */
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

  /** Adds a kept element with the same text. If there is none, the element is read and kept. */
  #isKept(tag: XmlTag): boolean {
    const { xml, namespaces } = this.#part;
    // The first tag of a part, or of an element that is being read to be kept.
    if (namespaces === undefined || tag.start === 0) return false;
    const name = tagName(xml, tag);
    const closing = `</${name}>`;
    const end = xml.indexOf(closing, tag.end) + closing.length;
    if (end < tag.end || end - tag.start > longestKept) return false;
    const text = xml.slice(tag.start, end);
    // If an element of the same name is nested, such as a group in a tracked change, the first end tag is the inner
    // one's.
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
 * Parses a part into elements, skipping those with `ignored` names. Property groups with the same text share one
 * element, as do the elements in `store`. Throws UnknownFeature for elements nested more than 200 levels deep and for
 * parts without a root.
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

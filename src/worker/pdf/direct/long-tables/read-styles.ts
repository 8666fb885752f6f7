import { readAttributes, scanXmlTags, type XmlTag } from '../../../docx/package/xml-tokens.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import { type Attributes, readProperty, type TextProperties, type ThemeFont } from './read-properties.ts';

interface Style {
  readonly basedOn: string | undefined;
  readonly text: TextProperties;
  /** The element `w:tblPr`; empty without one. */
  readonly table: string;
  /** What makes the style unusable here. */
  readonly unknown: string | undefined;
}

export interface Styles {
  readonly defaults: TextProperties;
  /** Whether the document has defaults of paragraphs: LibreOffice then protects paragraphs from widows and orphans by default. */
  readonly hasParagraphDefaults: boolean;
  /** The id of the default paragraph style. */
  readonly defaultParagraph: string | undefined;
  /** What a style and those it is based on set. Throws UnknownFeature where one of them sets something else. */
  of(id: string | undefined): TextProperties;
  /** The elements `w:tblPr` of a table style, without a name of the default one, and of those it is based on, the most basic first. */
  tablesOf(id: string | undefined): readonly string[];
}

const longestChain = 20;
const textGroups: ReadonlySet<string> = new Set(['pPr', 'rPr']);

/** The attributes of a tag by their local names. */
export function attributesOf(xml: string, tag: XmlTag): Attributes {
  return new Map(readAttributes(xml, tag).map(({ local, value }) => [local, value]));
}

/** Reads the styles of a document and their inheritance (ECMA-376 part 1, 17.7.2). */
export function readStyles(xml: string, themeFont: ThemeFont): Styles {
  const styles = new Map<string, Style>();
  let defaults: TextProperties = {};
  let defaultParagraph: string | undefined;
  let defaultTable: string | undefined;
  let tableStart = 0;
  let hasParagraphDefaults = false;
  let id: string | undefined;
  let style: { -readonly [K in keyof Style]: Style[K] } | undefined;
  const path: string[] = [];
  scanXmlTags(xml, (tag) => {
    if (tag.kind === 'close') {
      path.pop();
      if (tag.local === 'style') style = undefined;
      if (tag.local === 'tblPr' && path.at(-1) === 'style' && style !== undefined)
        style.table = xml.slice(tableStart, tag.end);
      return;
    }
    const parent = path.at(-1) ?? '';
    if (tag.kind === 'open') path.push(tag.local);
    if (tag.local === 'tblPr') tableStart = tag.start;
    if (tag.local === 'pPrDefault') hasParagraphDefaults = true;
    if (tag.local === 'style' && tag.kind === 'open') {
      const attributes = attributesOf(xml, tag);
      const isDefault = /^(?:1|true|on)$/.test(attributes.get('default') ?? '');
      id = attributes.get('styleId') ?? '';
      style = { basedOn: undefined, text: {}, table: '', unknown: undefined };
      styles.set(id, style);
      if (isDefault && attributes.get('type') === 'paragraph') defaultParagraph = id;
      if (isDefault && attributes.get('type') === 'table') defaultTable = id;
    } else if (tag.local === 'basedOn' && style !== undefined) style.basedOn = attributesOf(xml, tag).get('val');
    else if (tag.local === 'tblStylePr' && style !== undefined) style.unknown ??= 'a format of some rows or columns';
    else if (textGroups.has(parent) && !path.includes('tblStylePr') && tag.local !== 'rPr') {
      try {
        const read = readProperty(tag.local, attributesOf(xml, tag), themeFont);
        if (style !== undefined) style.text = { ...style.text, ...read };
        else if (path.includes('docDefaults')) defaults = { ...defaults, ...read };
      } catch (error) {
        if (!(error instanceof UnknownFeature)) throw error;
        if (style === undefined) throw error;
        style.unknown ??= error.message;
      }
    }
  });
  const known = new Map<string, TextProperties>();
  const resolve = (name: string | undefined, depth: number): TextProperties => {
    const found = name === undefined ? undefined : styles.get(name);
    if (name === undefined || found === undefined) return {};
    if (found.unknown !== undefined || depth > longestChain) throw new UnknownFeature(`${found.unknown} in a style`);
    const text = known.get(name) ?? { ...resolve(found.basedOn, depth + 1), ...found.text };
    known.set(name, text);
    return text;
  };
  const tablesOf = (name: string | undefined): readonly string[] => {
    const chain: string[] = [];
    let found = styles.get(name ?? defaultTable ?? '');
    for (; found !== undefined && chain.length < longestChain; found = styles.get(found.basedOn ?? ''))
      chain.unshift(found.table);
    return chain.filter((table) => table !== '');
  };
  return { defaults, defaultParagraph, hasParagraphDefaults, of: (name) => resolve(name, 0), tablesOf };
}

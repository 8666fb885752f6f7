import { escapeAttribute } from '@docmill/word/escape-xml';
import { relationshipNamespaces } from '@docmill/word/namespaces';
import { TextEdits } from '@docmill/word/text-edits';
import { readAttributes, scanXmlTags, tagName, type XmlAttribute, type XmlTag } from '@docmill/word/xml-tokens';
import { dropOptionalIds } from '../../core/ids/id-marks.ts';
import { namespacesOf } from './namespaces.ts';

export type StyleType = 'paragraph' | 'character' | 'table' | 'numbering';

/** Maps the references in a piece of markup. A reference mapped to undefined is removed. */
export interface References {
  /** Undefined for the markup of a part that keeps its relationships. */
  readonly relationship?: ((id: string) => string | undefined) | undefined;
  readonly style: (type: StyleType, id: string) => string | undefined;
  /** Maps a list by its `w:numId`. */
  readonly list: (id: string) => string | undefined;
  readonly note: (kind: 'footnote' | 'endnote', id: string) => string | undefined;
  readonly bookmarks: BookmarkNames;
}

/** New names of bookmarks, and new ids of bookmarks and other ranges. */
export interface BookmarkNames {
  readonly rename: (name: string) => string;
  readonly renumber: (id: string) => string;
}

const styleTypes: Readonly<Record<string, StyleType>> = {
  'w:pStyle': 'paragraph',
  'w:rStyle': 'character',
  'w:tblStyle': 'table',
};
const rangeMark = /^w:(?:bookmark|perm|moveFromRange|moveToRange|customXml\w+Range)(?:Start|End)$/;
const commentMark = /^w:comment(?:RangeStart|RangeEnd|Reference)$/;
/** A field that refers to a bookmark. */
const bookmarkField = /(\b(?:REF|PAGEREF|NOTEREF|GOTOBUTTON|HYPERLINK\s+\\l)\s+"?)([^\s"\\]+)/gi;

/** Rewrites the references of markup to styles, lists, notes, bookmarks and other parts; drops comments. */
export function rewriteMarkup(xml: string, root: string, to: References): string {
  const edits = new TextEdits();
  const prefixes = relationshipPrefixes(root, xml);
  let instruction = -1;
  scanXmlTags(xml, (tag) => {
    if (tag.kind === 'close') {
      if (tag.local === 'instrText' && instruction >= 0)
        edits.replace(instruction, tag.start, withBookmarks(xml.slice(instruction, tag.start), to));
      instruction = -1;
      return;
    }
    const name = tagName(xml, tag);
    if (commentMark.test(name)) {
      edits.replace(tag.start, tag.end);
      return;
    }
    if (name === 'w:instrText' && tag.kind === 'open') instruction = tag.end;
    const attributes = readAttributes(xml, tag);
    if (to.relationship !== undefined) rewriteRelationships(attributes, prefixes, edits, to.relationship);
    rewriteElement(name, tag, attributes, edits, to);
  });
  return dropOptionalIds(edits.apply(xml));
}

function rewriteElement(
  name: string,
  tag: XmlTag,
  attributes: readonly XmlAttribute[],
  edits: TextEdits,
  to: References,
): void {
  const find = (local: string) => attributes.find((attribute) => attribute.local === local);
  const set = (attribute: XmlAttribute | undefined, change: (value: string) => string | undefined) => {
    if (attribute === undefined) return;
    const value = change(attribute.value);
    if (value === undefined) edits.replace(tag.start, tag.end);
    else if (value !== attribute.value) edits.replace(attribute.valueStart, attribute.end - 1, escapeAttribute(value));
  };
  const styleType = styleTypes[name];
  if (styleType !== undefined) set(find('val'), (id) => to.style(styleType, id));
  else if (name === 'w:numId') set(find('val'), (id) => (id === '0' ? id : to.list(id)));
  else if (name === 'w:footnoteReference') set(find('id'), (id) => to.note('footnote', id));
  else if (name === 'w:endnoteReference') set(find('id'), (id) => to.note('endnote', id));
  else if (rangeMark.test(name)) {
    set(find('id'), to.bookmarks.renumber);
    if (name === 'w:bookmarkStart') set(find('name'), to.bookmarks.rename);
  } else if (name === 'w:hyperlink') set(find('anchor'), to.bookmarks.rename);
  else if (name === 'w:fldSimple') set(find('instr'), (text) => withBookmarks(text, to));
}

function withBookmarks(instruction: string, { bookmarks }: References): string {
  return instruction.replace(bookmarkField, (_, before: string, name: string) => before + bookmarks.rename(name));
}

function rewriteRelationships(
  attributes: readonly XmlAttribute[],
  prefixes: ReadonlySet<string>,
  edits: TextEdits,
  relationship: NonNullable<References['relationship']>,
): void {
  for (const { name, local, value, start, end, valueStart } of attributes) {
    const colon = name.indexOf(':');
    const isReference = (colon > 0 && prefixes.has(name.slice(0, colon))) || local === 'relid';
    if (!isReference || value === '') continue;
    const id = relationship(value);
    if (id === undefined) edits.replace(start, end);
    else edits.replace(valueStart, end - 1, id);
  }
}

/** The prefixes of `r:id`, which elements inside the markup may declare too. */
function relationshipPrefixes(root: string, xml: string): ReadonlySet<string> {
  const namespaces: readonly string[] = Object.values(relationshipNamespaces);
  const inside = Array.from(
    xml.matchAll(/\sxmlns:([\w.-]+)=["']([^"']*)["']/g),
    ([, a = '', b = '']) => [a, b] as const,
  );
  const all = [...namespacesOf(root), ...inside];
  return new Set(all.flatMap(([prefix, uri]) => (namespaces.includes(uri) ? [prefix] : [])));
}

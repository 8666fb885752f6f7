import { relationshipNamespaces } from '@docmill/word/namespaces';
import { attributeOf, scanXmlTags } from '@docmill/word/xml-tokens';
import { withSetting } from '../../core/word-settings.ts';

export type FrameType = 'default' | 'first' | 'even';

/** A header or footer of the last section of a letterhead. */
export interface Frame {
  readonly element: 'headerReference' | 'footerReference';
  readonly type: FrameType;
  /** The id of its relationship. */
  readonly id: string;
}

/** The page setup that a letterhead gives to documents. */
export interface PageFrames {
  readonly frames: readonly Frame[];
  readonly hasFirstPage: boolean;
  /** The `w:pgMar` element; empty without one. */
  readonly margins: string;
}

/** Reads the page setup of a section. */
export function readFrames(section: string): PageFrames {
  const frames: Frame[] = [];
  let hasFirstPage = false;
  let margins = '';
  let changes = 0;
  scanXmlTags(section, (tag) => {
    const { kind, local } = tag;
    if (local === 'sectPrChange' && kind !== 'empty') changes += kind === 'open' ? 1 : -1;
    if (kind === 'close' || changes > 0) return;
    if (local === 'headerReference' || local === 'footerReference') {
      const type = attributeOf(section, tag, 'type') ?? 'default';
      if (type === 'default' || type === 'first' || type === 'even')
        frames.push({ element: local, type, id: attributeOf(section, tag, 'id') ?? '' });
    } else if (local === 'titlePg') hasFirstPage = isOn(attributeOf(section, tag, 'val'));
    else if (local === 'pgMar') margins = section.slice(tag.start, tag.end);
  });
  return { frames, hasFirstPage, margins };
}

const isOn = (value: string | undefined): boolean => !['0', 'false', 'off'].includes(value ?? '1');

/** The page setup for a section of the including template. */
export interface NewFrames extends PageFrames {
  readonly isStrict: boolean;
  /** Only the first section begins with a separate first page. */
  readonly isFirstSection: boolean;
}

/** Elements of `w:sectPr` before `w:pgMar` and before `w:titlePg` (ECMA-376 part 1, 17.6.17). */
const beforeMargins = ['headerReference', 'footerReference', 'footnotePr', 'endnotePr', 'type', 'pgSz'];
const beforeFirstPage = [
  ...beforeMargins,
  ...['pgMar', 'paperSrc', 'pgBorders', 'lnNumType', 'pgNumType', 'cols', 'formProt', 'vAlign', 'noEndnote'],
];

/** The page setup with the headers, footers and margins of the letterhead. */
export function withFrames(
  section: string,
  { frames, hasFirstPage, margins, isStrict, isFirstSection }: NewFrames,
): string {
  const shown = frames.filter(({ type }) => type !== 'first' || isFirstSection);
  const references = shown.map(({ element, type, id }) => `<w:${element} w:type="${type}" r:id="${id}"/>`);
  const replaced = new Set(['headerReference', 'footerReference', 'titlePg', ...(margins === '' ? [] : ['pgMar'])]);
  const { start, children } = readElement(section);
  const kept = children.filter(({ local }) => !replaced.has(local));
  const insert = (xml: string, after: readonly string[]) => {
    const at = kept.findLastIndex(({ local }) => after.includes(local)) + 1;
    if (xml !== '') kept.splice(at, 0, { local: /^<w:(\w+)/.exec(xml)?.[1] ?? '', xml });
  };
  insert(margins, beforeMargins);
  insert(hasFirstPage && isFirstSection ? '<w:titlePg/>' : '', beforeFirstPage);
  const namespace = relationshipNamespaces[isStrict ? 'strict' : 'transitional'];
  const declared = /\sxmlns:r=/.test(start) ? start : start.replace('>', ` xmlns:r="${namespace}">`);
  return [declared, ...references, ...kept.map(({ xml }) => xml), '</w:sectPr>'].join('');
}

/** The start tag and the children of an element. */
function readElement(xml: string) {
  const children: { readonly local: string; readonly xml: string }[] = [];
  let start = '';
  let depth = 0;
  let from = 0;
  scanXmlTags(xml, (tag) => {
    const { kind, local } = tag;
    if (kind === 'close') depth--;
    if (depth === 0 && kind !== 'close') start = xml.slice(tag.start, tag.end).replace(/\s*\/>$/, '>');
    if (depth === 1) {
      if (kind !== 'close') from = tag.start;
      if (kind !== 'open') children.push({ local, xml: xml.slice(from, tag.end) });
    }
    if (kind === 'open') depth++;
  });
  return { start, children };
}

export function hasEvenPages(settings: string): boolean {
  const tag = /<w:evenAndOddHeaders\b[^>]*>/.exec(settings)?.[0];
  return tag !== undefined && isOn(/\sw:val=["']([^"']*)["']/.exec(tag)?.[1]);
}

/** Sets whether even pages have separate headers and footers. */
export function withEvenPages(settings: string, isWanted: boolean): string {
  return withSetting(settings, 'evenAndOddHeaders', isWanted ? '<w:evenAndOddHeaders/>' : '');
}

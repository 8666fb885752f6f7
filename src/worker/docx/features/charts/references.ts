import { attributeOf, scanXmlTags, tagName, textContent, type XmlTag } from '../../package/xml-tokens.ts';

/** Data of a chart that a formula takes from its workbook (ECMA-376 part 1, 21.2.2.201, 21.2.2.123 and 21.2.2.102). */
export interface Reference {
  readonly formula: string;
  readonly role: ReferenceRole;
  /** The number of its series, from 1; undefined outside of series. */
  readonly series: number | undefined;
  /** The prefix of its elements with the colon. */
  readonly prefix: string;
  /** Categories in several columns. */
  readonly hasLevels: boolean;
  /** The number format of the values, as XML. */
  readonly format: string | undefined;
  /** Offsets in the text of the chart. */
  readonly start: number;
  readonly end: number;
}

/** `value` and `x`: numbers that the chart draws. `category`: names along an axis. `text`: titles and names of series. */
export type ReferenceRole = 'value' | 'x' | 'category' | 'text';

const elements = new Set(['strRef', 'numRef', 'multiLvlStrRef']);
const roles: ReadonlyMap<string, ReferenceRole> = new Map([
  ['val', 'value'],
  ['yVal', 'value'],
  ['bubbleSize', 'value'],
  ['plus', 'value'],
  ['minus', 'value'],
  ['cat', 'category'],
  ['xVal', 'x'],
  ['tx', 'text'],
]);

interface OpenReference {
  readonly tag: XmlTag;
  readonly role: ReferenceRole;
  formula: string;
  format: string | undefined;
}

/** The references of a chart to its workbook, in document order. */
export function findReferences(xml: string): Reference[] {
  const found: Reference[] = [];
  let series = 0;
  let isInSeries = false;
  let role: ReferenceRole | undefined;
  let open: OpenReference | undefined;
  let textStart = -1;
  scanXmlTags(xml, (tag) => {
    const { local, kind } = tag;
    if (local === 'ser' && kind !== 'empty') {
      isInSeries = kind === 'open';
      if (isInSeries) series++;
    } else if (roles.has(local) && open === undefined) role = kind === 'open' ? roles.get(local) : undefined;
    else if (elements.has(local) && role !== undefined) {
      if (kind === 'open') open = { tag, role, formula: '', format: undefined };
      if (kind !== 'close' || open === undefined) return;
      const { formula, format } = open;
      const name = tagName(xml, open.tag);
      const prefix = name.slice(0, name.length - local.length);
      found.push({
        formula,
        role: open.role,
        series: isInSeries ? series : undefined,
        prefix,
        hasLevels: local === 'multiLvlStrRef',
        format,
        start: open.tag.start,
        end: tag.end,
      });
      open = undefined;
    } else if (open !== undefined && (local === 'f' || local === 'sqref' || local === 'formatCode')) {
      if (kind === 'open') textStart = tag.end;
      if (kind !== 'close') return;
      const text = xml.slice(textStart, tag.start);
      if (local === 'formatCode') open.format ??= text;
      else if (open.formula === '') open.formula = textContent(text);
    }
  });
  return found;
}

const marker = /<chart-reference n="(\d+)"\/>/;

/** The chart with a marker in place of each chosen reference. */
export function markReferences(xml: string, references: readonly (Reference | undefined)[]): string {
  const pieces: string[] = [];
  let read = 0;
  for (const [i, reference] of references.entries()) {
    if (reference === undefined) continue;
    pieces.push(xml.slice(read, reference.start), `<chart-reference n="${i}"/>`);
    read = reference.end;
  }
  return [...pieces, xml.slice(read)].join('');
}

/** A text split at its markers: the indexes of references between pieces of markup. */
export function splitAtReferences(xml: string): (string | number)[] {
  return xml.split(marker).map((piece, i) => (i % 2 === 0 ? piece : Number(piece)));
}

/** Where a part shows charts: the tags `c:chart` with the id of a relationship. */
export function findChartTags(xml: string): { readonly tag: XmlTag; readonly id: string }[] {
  if (!/[<:]chart\s/.test(xml)) return [];
  const found: { tag: XmlTag; id: string }[] = [];
  scanXmlTags(xml, (tag) => {
    const id = tag.local === 'chart' && tag.kind !== 'close' ? attributeOf(xml, tag, 'id') : undefined;
    if (id !== undefined) found.push({ tag, id });
  });
  return found;
}

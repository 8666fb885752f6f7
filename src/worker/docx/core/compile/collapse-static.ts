import { localName, scanXml, tagName } from '@docmill/word/xml-tokens';
import { literalBraces } from '../../language/delimiters.ts';
import type { Signal } from '../structure.ts';

/** A tag-free stretch of a part. docxtemplater does not parse it; it is restored afterwards. */
export interface CollapsedStretch {
  readonly xml: string;
  /** The children that the stretch contributes to the enclosing element. */
  readonly signal: Signal;
}

export interface CollapsedPart {
  /** The part with a marker in place of each stretch. */
  readonly xml: string;
  readonly stretches: readonly CollapsedStretch[];
}

interface OpenElement {
  readonly name: string;
  readonly start: number;
  isTagged: boolean;
}

interface Stretch {
  start: number;
  end: number;
  signal: Signal;
}

const signals: Readonly<Record<string, Signal>> = {
  'w:p': 'has-paragraph',
  'w:tbl': 'has-table',
  'w:tr': 'has-row',
  'w:tc': 'has-cell',
};
const sectionAndControl = ['w:sectPr', 'w:sdtContent'];
const markerStart = '<\u0001';

export interface CollapseOptions {
  /** Rows and cells of tables with tags stay visible. */
  readonly keepsCells: boolean;
  /** Content controls that hold one of these elements stay visible. */
  readonly keepsControlsWith: ReadonlySet<string>;
}

/**
 * Collapses every run of paragraphs, tables, rows and cells without tags into one marker, so that parsing cost grows with
 * the number of tags, not with length. Markers start with U+0001, which XML forbids, so no template text can match them.
 */
export function collapseStatic(xml: string, options: CollapseOptions): CollapsedPart {
  const stretches = findStretches(xml, options);
  const pieces: string[] = [];
  let read = 0;
  for (const [i, { start, end }] of stretches.entries()) {
    pieces.push(xml.slice(read, start), `${markerStart}${i}>`);
    read = end;
  }
  pieces.push(xml.slice(read));
  return {
    xml: pieces.join(''),
    stretches: stretches.map(({ start, end, signal }) => ({ xml: literalBraces(xml.slice(start, end)), signal })),
  };
}

function findStretches(xml: string, { keepsCells, keepsControlsWith }: CollapseOptions): Stretch[] {
  const open: OpenElement[] = [];
  const found: Stretch[] = [];
  const brace = new BraceFinder(xml);
  const localNames = new Set([...Object.keys(signals), ...sectionAndControl, ...keepsControlsWith].map(localName));
  let isInKeptControl = false;
  scanXml(
    xml,
    (tag) => {
      if (!localNames.has(tag.local)) return;
      const { kind, start, end } = tag;
      const name = tagName(xml, tag);
      const top = open.at(-1);
      const signal = signals[name];
      if (signal !== undefined) {
        if (kind === 'open') open.push({ name, start, isTagged: isInKeptControl });
        else if (kind === 'empty') addStretch(found, { start, end, signal });
        else if (top?.name === name) closeElement(open, found, end, keepsCells);
      } else if (name === 'w:sectPr' || keepsControlsWith.has(name)) {
        if (top !== undefined) top.isTagged = true;
        isInKeptControl ||= name !== 'w:sectPr';
      } else if (name === 'w:sdtContent' && kind === 'close') isInKeptControl = false;
    },
    ({ start, end }) => {
      const inner = open.at(-1);
      if (inner !== undefined && brace.isBetween(start, end)) inner.isTagged = true;
    },
  );
  return found;
}

function closeElement(open: OpenElement[], found: Stretch[], end: number, keepsCells: boolean): void {
  const element = open.pop();
  const signal = element === undefined ? undefined : signals[element.name];
  if (element === undefined || signal === undefined) return;
  if (element.isTagged) {
    const parent = open.at(-1);
    if (parent !== undefined) parent.isTagged = true;
    return;
  }
  if (keepsCells && (element.name === 'w:tr' || element.name === 'w:tc')) return;
  while ((found.at(-1)?.start ?? -1) >= element.start) found.pop();
  addStretch(found, { start: element.start, end, signal });
}

function addStretch(found: Stretch[], stretch: Stretch): void {
  const last = found.at(-1);
  if (last === undefined || last.end !== stretch.start) {
    found.push(stretch);
    return;
  }
  last.end = stretch.end;
  last.signal = stretch.signal;
}

/** Splits a string at its markers and replaces each marker by its stretch. */
export function expandStretches(text: string, stretches: readonly CollapsedStretch[]): (string | CollapsedStretch)[] {
  const [first = '', ...rest] = text.split(markerStart);
  const pieces: (string | CollapsedStretch)[] = [first];
  for (const piece of rest) {
    const end = piece.indexOf('>');
    const stretch = stretches[Number(piece.slice(0, end))];
    if (stretch !== undefined) pieces.push(stretch);
    pieces.push(piece.slice(end + 1));
  }
  return pieces.filter((piece) => piece !== '');
}

/** Finds out whether a range contains a brace. Ranges must be queried in ascending order. */
class BraceFinder {
  readonly #xml: string;
  #opening: number;
  #closing: number;

  constructor(xml: string) {
    this.#xml = xml;
    this.#opening = this.#find('{', 0);
    this.#closing = this.#find('}', 0);
  }

  isBetween(start: number, end: number): boolean {
    if (this.#opening < start) this.#opening = this.#find('{', start);
    if (this.#closing < start) this.#closing = this.#find('}', start);
    return this.#opening < end || this.#closing < end;
  }

  #find(brace: string, from: number): number {
    const at = this.#xml.indexOf(brace, from);
    return at === -1 ? Number.POSITIVE_INFINITY : at;
  }
}

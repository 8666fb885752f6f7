import type { RenderState } from '../../core/render/render-state.ts';
import {
  PropertyList,
  shadeProperty,
  styleProperty,
  toggleProperty,
  valueProperty,
} from '../../core/styles/property-list.ts';
import type { Format, RequestedFormat } from './format-node.ts';
import type { FormatTarget } from './format-tag.ts';
import { type OutputTag, openBefore, type Place, tagsFrom } from './output-elements.ts';

const elements = { cell: 'w:tc', row: 'w:tr' } as const;
/** A cell takes precedence over its row, and text over its cell. */
const order: readonly FormatTarget[] = ['row', 'cell', 'text'];

/** Applies the formats to the written pieces of a part in place; the number of pieces stays the same. */
export function applyFormats(pieces: string[], requested: readonly RequestedFormat[], { budget }: RenderState): void {
  for (const target of order) {
    const formats = requested.filter((one) => one.target === target);
    for (const [i, { format, piece }] of formats.entries()) {
      if (Object.keys(format).length === 0) continue;
      const changes = new Changes(pieces, format);
      if (target === 'text') changes.text(piece, formats[i + 1]?.piece);
      else changes.element(elements[target], piece);
      budget.write(changes.apply(), '');
    }
  }
}

interface Change {
  readonly from: number;
  readonly to: number;
  readonly xml: string;
}

/** The changes that one format makes to the pieces. */
class Changes {
  readonly #pieces: string[];
  readonly #format: Format;
  readonly #changes = new Map<number, Change[]>();
  /** The formatted run properties by the template's run properties. */
  readonly #runs = new Map<string, string>();

  constructor(pieces: string[], format: Format) {
    this.#pieces = pieces;
    this.#format = format;
  }

  /** Formats the runs from a piece to the end of the paragraph, or to a later piece. */
  text(from: number, until = this.#pieces.length): void {
    let paragraphs = 1;
    const runs = new Properties('w:r', 'w:rPr');
    for (const tag of tagsFrom(this.#pieces, { piece: from, at: 0 })) {
      if (tag.piece >= until) return;
      this.#replace(runs.read(tag), (xml) => this.#run(xml, true));
      if (tag.name === 'w:p' && tag.kind !== 'empty') paragraphs += tag.kind === 'open' ? 1 : -1;
      if (paragraphs === 0) return;
    }
  }

  /** Shades the cells of the innermost cell or row around a piece, and formats all of its text. */
  element(name: 'w:tc' | 'w:tr', around: number): void {
    const start = openBefore(this.#pieces, around, name);
    if (start === undefined) return;
    const { fill } = this.#format;
    const runs = new Properties('w:r', 'w:rPr');
    const cells = new Properties('w:tc', 'w:tcPr');
    let [depth, tables] = [0, 0];
    for (const tag of tagsFrom(this.#pieces, start)) {
      this.#replace(runs.read(tag), (xml) => this.#run(xml, false));
      const cell = tables === 0 ? cells.read(tag) : undefined;
      if (fill !== undefined) this.#replace(cell, (xml) => shadedCell(xml, fill));
      if (tag.kind === 'empty') continue;
      const step = tag.kind === 'open' ? 1 : -1;
      if (tag.name === 'w:tbl') tables += step;
      if (tag.name === name) depth += step;
      if (depth === 0) return;
    }
  }

  /** Writes the changes to the pieces. Returns the number of added characters. */
  apply(): number {
    let added = 0;
    for (const [piece, changes] of this.#changes) {
      let xml = this.#pieces[piece] ?? '';
      const before = xml.length;
      for (const change of changes.toReversed()) xml = xml.slice(0, change.from) + change.xml + xml.slice(change.to);
      this.#pieces[piece] = xml;
      added += xml.length - before;
    }
    return Math.max(0, added);
  }

  #run(xml: string, shades: boolean): string {
    const known = this.#runs.get(xml);
    if (known !== undefined) return known;
    const formatted = formattedRun(xml, this.#format, shades);
    this.#runs.set(xml, formatted);
    return formatted;
  }

  #replace(found: Found | undefined, format: (xml: string) => string): void {
    if (found === undefined) return;
    const { from, to } = found;
    const parts: string[] = [];
    for (let piece = from.piece; piece <= to.piece; piece++) {
      const text = this.#pieces[piece] ?? '';
      const start = piece === from.piece ? from.at : 0;
      const end = piece === to.piece ? to.at : text.length;
      parts.push(text.slice(start, end));
      if (piece > from.piece) this.#add(piece, { from: start, to: end, xml: '' });
    }
    const first = this.#pieces[from.piece] ?? '';
    const end = from.piece === to.piece ? to.at : first.length;
    this.#add(from.piece, { from: from.at, to: end, xml: format(parts.join('')) });
  }

  #add(piece: number, change: Change): void {
    const known = this.#changes.get(piece);
    if (known === undefined) this.#changes.set(piece, [change]);
    else known.push(change);
  }
}

/** The range of an element's properties; empty if the element has none. */
interface Found {
  readonly from: Place;
  readonly to: Place;
}

/** Finds the properties of each element with one name, tag by tag. They are the element's first child. */
class Properties {
  readonly #element: string;
  readonly #properties: string;
  #started: Place | undefined;
  #from: Place | undefined;
  #depth = 0;

  constructor(element: string, properties: string) {
    this.#element = element;
    this.#properties = properties;
  }

  /** The properties that the tag completes, if any. */
  read({ name, kind, piece, start, end }: OutputTag): Found | undefined {
    if (this.#from !== undefined) {
      if (name !== this.#properties || kind === 'empty') return undefined;
      this.#depth += kind === 'open' ? 1 : -1;
      if (this.#depth > 0) return undefined;
      const from = this.#from;
      this.#from = undefined;
      return { from, to: { piece, at: end } };
    }
    const started = this.#started;
    this.#started = name === this.#element && kind === 'open' ? { piece, at: end } : undefined;
    if (started === undefined) return undefined;
    if (name !== this.#properties || kind === 'close') return { from: started, to: started };
    if (kind === 'empty') return { from: { piece, at: start }, to: { piece, at: end } };
    this.#from = { piece, at: start };
    this.#depth = 1;
    return undefined;
  }
}

function shadedCell(xml: string, fill: string): string {
  return PropertyList.parse('w:tcPr', xml)
    .with({ shd: shadeProperty(fill) })
    .toXml();
}

function formattedRun(
  xml: string,
  { fill, color, bold, italic, underline, strike, style }: Format,
  shades: boolean,
): string {
  return PropertyList.parse('w:rPr', xml)
    .with({
      ...(style === undefined ? {} : { rStyle: styleProperty(style, 'rStyle') }),
      ...(color === undefined ? {} : { color: valueProperty('color', color) }),
      ...(bold && { b: toggleProperty('b', true), bCs: toggleProperty('bCs', true) }),
      ...(italic && { i: toggleProperty('i', true), iCs: toggleProperty('iCs', true) }),
      ...(underline && { u: valueProperty('u', 'single') }),
      ...(strike && { strike: toggleProperty('strike', true), dstrike: undefined }),
      ...(fill !== undefined && shades && { shd: shadeProperty(fill), highlight: undefined }),
    })
    .toXml();
}

import { type AccountCharacters, charactersOf } from '../account-fonts/characters-of.ts';
import { docxLimits } from '../limits.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { decodeXml, encodingOf } from '../package/xml-text.ts';
import { numberingTexts } from './numbering-symbols.ts';
import { isSymbol, type PrintableCharacters } from './printable-characters.ts';
import { RequestedFonts } from './requested-font.ts';
import { hasUnprintable } from './scan-bytes.ts';
import { type PartKind, type ShownText, scanText } from './scan-text.ts';

/** The characters of one part and font that no installed font has. */
export interface MissingGlyphs {
  readonly part: string;
  readonly font: string | undefined;
  /** The text around the first of them. */
  readonly context: string;
  readonly characters: Set<string>;
  /** How often they stand in the part. */
  count: number;
}

/** The font that a text asks for, and what the account's fonts of that name have. */
interface FontsOfText {
  readonly requested: RequestedFonts;
  readonly ofAccount: AccountCharacters;
}

interface CheckedPart {
  readonly kind: PartKind | 'numbering';
  readonly label: string;
}

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.';
const drawing = 'application/vnd.openxmlformats-officedocument.drawingml.';
/** The parts that LibreOffice prints text of. It prints comments nowhere, and diagrams from their drawing. */
const printed: Readonly<Record<string, CheckedPart>> = {
  [`${word}document.main+xml`]: { kind: 'story', label: 'body' },
  [`${word}header+xml`]: { kind: 'story', label: 'header' },
  [`${word}footer+xml`]: { kind: 'story', label: 'footer' },
  [`${word}footnotes+xml`]: { kind: 'story', label: 'footnotes' },
  [`${word}endnotes+xml`]: { kind: 'story', label: 'endnotes' },
  [`${word}numbering+xml`]: { kind: 'numbering', label: 'numbering' },
  [`${drawing}chart+xml`]: { kind: 'drawing', label: 'chart' },
  'application/vnd.ms-office.drawingml.diagramdrawing+xml': { kind: 'drawing', label: 'diagram' },
  'image/svg+xml': { kind: 'svg', label: 'SVG picture' },
};
const numbered = new Set(['header', 'footer', 'chart', 'diagram', 'SVG picture']);
const contextLength = 40;
/** What was found in the parts of a template that its data does not change, for the fonts of this key. */
interface Remembered {
  readonly key: string;
  readonly parts: Map<string, readonly MissingGlyphs[]>;
}
const remembered = new WeakMap<DocxPackage, Remembered>();

/**
 * The characters of a filled document that no font can print. `changes` are its parts that differ from the template's; all
 * others are checked once for each template.
 */
export function findMissingGlyphs(
  filled: DocxPackage,
  template: DocxPackage,
  changes: ReadonlyMap<string, Uint8Array | null>,
  printable: PrintableCharacters,
  ofAccount = charactersOf([]),
): MissingGlyphs[] {
  const key = `${printable.key} ${ofAccount.key}`;
  let known = remembered.get(template);
  if (known?.key !== key) {
    known = { key, parts: new Map() };
    remembered.set(template, known);
  }
  const changed = new Set([...changes.keys()].map((name) => name.toLowerCase()));
  const fonts = { requested: new RequestedFonts(filled), ofAccount };
  const found: MissingGlyphs[] = [];
  for (const name of filled.partNames) {
    const part = printed[filled.contentType(name) ?? ''];
    if (part === undefined) continue;
    const isKnown = !changed.has(name.toLowerCase());
    const before = isKnown ? known.parts.get(name) : undefined;
    const inPart = before ?? checkPart(filled, name, part, printable, fonts);
    if (isKnown) known.parts.set(name, inPart);
    found.push(...inPart);
  }
  return found;
}

function checkPart(
  source: DocxPackage,
  name: string,
  { kind, label }: CheckedPart,
  printable: PrintableCharacters,
  fonts: FontsOfText,
): MissingGlyphs[] {
  const bytes = source.read(name) ?? Buffer.alloc(0);
  const isUtf8 = encodingOf(bytes) === 'utf-8';
  if (isUtf8 && !hasUnprintable(bytes, printable)) return [];
  const groups = new MissingGroups(
    numberedLabel(label, name),
    printable,
    kind === 'story' || kind === 'numbering' ? fonts : undefined,
  );
  const xml = decodeXml(bytes, name);
  if (kind === 'numbering') for (const text of numberingTexts(source, xml)) groups.add([text]);
  else scanText(xml, kind, (texts) => groups.add(texts));
  return groups.list();
}

function numberedLabel(label: string, name: string): string {
  const number = numbered.has(label) ? (/(\d+)\.\w+$/.exec(name)?.[1] ?? '') : '';
  return number === '' ? label : `${label} ${Number(number)}`;
}

/** Collects what is missing in one part, by font. */
class MissingGroups {
  readonly #groups = new Map<string | undefined, MissingGlyphs>();
  readonly #part: string;
  readonly #printable: PrintableCharacters;
  readonly #fonts: FontsOfText | undefined;

  constructor(part: string, printable: PrintableCharacters, fonts: FontsOfText | undefined) {
    this.#part = part;
    this.#printable = printable;
    this.#fonts = fonts;
  }

  /** Checks the texts of a paragraph. */
  add(texts: readonly ShownText[]): void {
    for (const [i, { text, format }] of texts.entries()) {
      let at = 0;
      while (at < text.length) {
        const code = text.codePointAt(at) ?? 0;
        const start = at;
        at += code > 0xffff ? 2 : 1;
        if (this.#printable.has(code) || this.#printable.printsAt(text, start)) continue;
        const character = String.fromCodePoint(code);
        const font = this.#fonts?.requested.fontOf(character, format);
        if (font !== undefined && (isSymbol(code, font) || this.#fonts?.ofAccount.has(font, code))) continue;
        this.#miss(character, font, () => contextOf(texts, i, start));
      }
    }
  }

  list(): MissingGlyphs[] {
    return [...this.#groups.values()];
  }

  #miss(character: string, font: string | undefined, context: () => string): void {
    let group = this.#groups.get(font);
    if (group === undefined) {
      if (this.#groups.size >= docxLimits.errorDetails) return;
      group = { part: this.#part, font, context: context(), characters: new Set(), count: 0 };
      this.#groups.set(font, group);
    }
    if (group.characters.size < docxLimits.errorDetails) group.characters.add(character);
    group.count++;
  }
}

function contextOf(texts: readonly ShownText[], index: number, at: number): string {
  let before = '';
  for (let i = index; i >= 0 && before.length < contextLength; i--) {
    const text = texts[i]?.text ?? '';
    before =
      text.slice(Math.max(0, (i === index ? at : text.length) - contextLength), i === index ? at : text.length) +
      before;
  }
  let after = '';
  for (let i = index; i < texts.length && after.length < contextLength; i++)
    after += (texts[i]?.text ?? '').slice(i === index ? at : 0).slice(0, contextLength);
  const start = [...before].slice(-contextLength / 2).join('');
  const end = [...after].slice(0, contextLength / 2).join('');
  const whole = `${before.length > start.length ? '…' : ''}${start}${end}${after.length > end.length ? '…' : ''}`;
  return whole.toWellFormed().replace(/\s+/g, ' ').trim();
}

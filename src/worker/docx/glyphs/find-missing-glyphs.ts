import { type AccountCharacters, charactersOf } from '../account-fonts/characters-of.ts';
import type { DocxPackage } from '../package/open-package.ts';
import { encodingOf } from '../package/xml-text.ts';
import { DrawingFonts } from './drawing-fonts.ts';
import { hasUnprintable } from './has-unprintable.ts';
import { type MissingGlyphs, MissingGroups } from './missing-groups.ts';
import { numberingTexts } from './numbering-symbols.ts';
import type { PrintableCharacters } from './printable-characters.ts';
import { RequestedFonts } from './requested-font.ts';
import { type PartKind, scanText } from './scan-text.ts';

interface CheckedPart {
  readonly kind: PartKind | 'numbering';
  readonly label: string;
}

/** The fonts against which the text of parts is checked. */
interface Fonts {
  readonly printable: PrintableCharacters;
  readonly requested: RequestedFonts;
  readonly ofAccount: AccountCharacters;
}

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.';
const drawing = 'application/vnd.openxmlformats-officedocument.drawingml.';
const diagramDrawing = 'application/vnd.ms-office.drawingml.diagramdrawing+xml';
const diagramData = `${drawing}diagramdata+xml`;
/** The parts whose text LibreOffice prints. It never prints comments. */
const printed: Readonly<Record<string, CheckedPart>> = {
  [`${word}document.main+xml`]: { kind: 'story', label: 'body' },
  [`${word}header+xml`]: { kind: 'story', label: 'header' },
  [`${word}footer+xml`]: { kind: 'story', label: 'footer' },
  [`${word}footnotes+xml`]: { kind: 'story', label: 'footnotes' },
  [`${word}endnotes+xml`]: { kind: 'story', label: 'endnotes' },
  [`${word}numbering+xml`]: { kind: 'numbering', label: 'numbering' },
  [`${drawing}chart+xml`]: { kind: 'drawing', label: 'chart' },
  [`${drawing}chartshapes+xml`]: { kind: 'drawing', label: 'chart' },
  [diagramDrawing]: { kind: 'drawing', label: 'diagram' },
  [diagramData]: { kind: 'drawing', label: 'diagram' },
  'image/svg+xml': { kind: 'svg', label: 'SVG picture' },
};
const numbered = new Set(['header', 'footer', 'chart', 'diagram', 'SVG picture']);
/** The findings in parts of a template that its data does not change, for the fonts with this key. */
interface Remembered {
  readonly key: string;
  readonly parts: Map<string, readonly MissingGlyphs[]>;
}
const remembered = new WeakMap<DocxPackage, Remembered>();
const tags = /\{[^{}]*\}/g;

/**
 * The characters of a filled document that no font can print. `changes` holds its parts that differ from the
 * template's; all other parts are checked once per template.
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
  const fonts = { printable, requested: new RequestedFonts(filled), ofAccount };
  const found: MissingGlyphs[] = [];
  for (const [name, part] of checkedParts(filled)) {
    const isKnown = !changed.has(name.toLowerCase());
    const before = isKnown ? known.parts.get(name) : undefined;
    const inPart = before ?? checkPart(filled, name, part, fonts);
    if (isKnown) known.parts.set(name, inPart);
    found.push(...inPart);
  }
  return found;
}

/** The characters of a template's own text, without its tags, that no font can print. */
export function findMissingInTemplate(
  template: DocxPackage,
  printable: PrintableCharacters,
  ofAccount: AccountCharacters,
): MissingGlyphs[] {
  const fonts = { printable, requested: new RequestedFonts(template), ofAccount };
  return checkedParts(template).flatMap(([name, part]) => checkPart(template, name, part, fonts, tags));
}

function checkedParts(source: DocxPackage): (readonly [string, CheckedPart])[] {
  const types = source.partNames.map((name) => [name, source.contentType(name) ?? ''] as const);
  // LibreOffice lays out a diagram itself if the document has no drawing of it.
  const hasDrawings = types.some(([, type]) => type === diagramDrawing);
  return types.flatMap(([name, type]) => {
    const part = type === diagramData && hasDrawings ? undefined : printed[type];
    return part === undefined ? [] : [[name, part] as const];
  });
}

function checkPart(
  source: DocxPackage,
  name: string,
  { kind, label }: CheckedPart,
  { printable, requested, ofAccount }: Fonts,
  omitted?: RegExp,
): MissingGlyphs[] {
  const bytes = source.read(name) ?? Buffer.alloc(0);
  const isUtf8 = encodingOf(bytes) === 'utf-8';
  if (isUtf8 && !hasUnprintable(bytes, printable)) return [];
  const xml = source.readText(name) ?? '';
  const isWord = kind === 'story' || kind === 'numbering';
  const groups = new MissingGroups(numberedLabel(label, name), printable, {
    requested: isWord ? requested : new DrawingFonts(source, xml, ofAccount),
    ofAccount,
  });
  if (kind === 'numbering') for (const text of numberingTexts(source, xml)) groups.add([text], omitted);
  else scanText(xml, kind, (texts) => groups.add(texts, kind === 'svg' ? undefined : omitted));
  return groups.list();
}

function numberedLabel(label: string, name: string): string {
  const number = numbered.has(label) ? (/(\d+)\.\w+$/.exec(name)?.[1] ?? '') : '';
  return number === '' ? label : `${label} ${Number(number)}`;
}

import { type PdfDict, PdfNumber, PdfStream } from '@libpdf/core';
import type { ContentVisitor } from '../content/content-visitor.ts';
import { walkContents } from '../content/walk-content.ts';
import { readToUnicode } from '../fonts/read-to-unicode.ts';
import type { PdfFile, PdfPage } from '../open-pdf.ts';
import type { Structure, StructureElement } from '../structure/read-structure.ts';

const maxChars = 400;
const maxDepth = 16;
const ignore = (): void => undefined;

/** Reads the text of structure elements whose content is on the given pages, about 400 characters at most. */
export function readMarkedText(
  file: PdfFile,
  structure: Structure,
  pages: readonly PdfPage[],
): (element: StructureElement) => string {
  const texts = textsByMark(file, pages);
  const elements = new Map(structure.elements.map((element) => [element.dict, element]));
  const read = ({ dict, alternativeText }: StructureElement, outer: number | undefined, depth: number): string => {
    if (alternativeText !== undefined) return alternativeText;
    const owner = file.number(file.dict(dict, 'Pg'), 'StructParents') ?? outer;
    let text = '';
    const single = file.get(dict, 'K');
    for (const kid of file.array(dict, 'K') ?? [single]) {
      if (text.length > maxChars || depth > maxDepth) break;
      const inner = kid === undefined ? undefined : elements.get(kid as PdfDict);
      if (kid instanceof PdfNumber) text += texts.get(keyOf(owner, kid.value)) ?? '';
      else if (inner !== undefined) text += read(inner, owner, depth + 1);
    }
    return text;
  };
  return (element) => read(element, undefined, 0).replace(/\s+/g, ' ').trim().slice(0, maxChars);
}

function keyOf(structParents: number | undefined, mcid: number): string {
  return `${structParents} ${mcid}`;
}

/** The text of marked content, by the page's `StructParents` and MCID. */
function textsByMark(file: PdfFile, pages: readonly PdfPage[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const fonts = new Map<PdfDict, ReadonlyMap<number, string>>();
  const visitor: ContentVisitor = {
    text(font, codes, _isVisible, { structParents }, marks) {
      const mcid = marks.findLast((mark) => mark.mcid !== undefined)?.mcid;
      if (mcid === undefined) return;
      const key = keyOf(structParents, mcid);
      const before = texts.get(key) ?? '';
      if (before.length < maxChars) texts.set(key, before + decode(file, font, fonts, codes));
    },
    paint: ignore,
    mark: ignore,
    colourSpace: ignore,
    image: ignore,
    inlineImage: ignore,
    form: ignore,
    graphicsState: ignore,
    renderingIntent: ignore,
    unknownOperator: ignore,
    missingResource: ignore,
    limit: ignore,
    oddString: ignore,
    unreadable: ignore,
  };
  walkContents(file, visitor, pages);
  return texts;
}

function decode(
  file: PdfFile,
  font: PdfDict,
  fonts: Map<PdfDict, ReadonlyMap<number, string>>,
  codes: Uint8Array,
): string {
  let values = fonts.get(font);
  if (values === undefined) {
    const map = file.get(font, 'ToUnicode');
    const content = map instanceof PdfStream ? file.decode(map) : undefined;
    values = content === undefined ? new Map() : readToUnicode(content);
    fonts.set(font, values);
  }
  const width = file.name(font, 'Subtype') === 'Type0' ? 2 : 1;
  let text = '';
  for (let at = 0; at + width <= codes.length; at += width) {
    const code = width === 1 ? (codes[at] ?? 0) : ((codes[at] ?? 0) << 8) | (codes[at + 1] ?? 0);
    text += values.get(code) ?? '';
  }
  return text;
}

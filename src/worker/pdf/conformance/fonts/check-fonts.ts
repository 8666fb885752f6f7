import { PdfDict, PdfName, PdfStream } from '@libpdf/core';
import type { ContentVisitor } from '../content/content-visitor.ts';
import type { Findings } from '../findings.ts';
import type { PdfFile } from '../open-pdf.ts';
import { checkCompositeFont } from './check-composite-font.ts';
import { checkSimpleFont } from './check-simple-font.ts';
import { readToUnicode } from './read-to-unicode.ts';
import type { UsedFont } from './used-font.ts';

interface FontChecks extends Pick<ContentVisitor, 'text'> {
  /** Checks the fonts of the visited text. */
  end(): void;
}

/** Encodings whose characters have known Unicode values. */
const knownEncodings = new Set(['WinAnsiEncoding', 'MacRomanEncoding', 'MacExpertEncoding']);
const forbiddenValue = /[\0\ufeff\ufffe]/;

export function checkFonts(file: PdfFile, findings: Findings): FontChecks {
  const used = new Map<PdfDict, UsedFont>();
  return {
    text(dict, bytes, isVisible, place) {
      let font = used.get(dict);
      if (font === undefined) {
        const name = file.name(dict, 'BaseFont') ?? file.name(dict, 'Name') ?? 'without a name';
        font = { dict, place: `${place.name}, font ${name}`, codes: new Set(), allCodes: new Set() };
        used.set(dict, font);
      }
      const width = file.name(dict, 'Subtype') === 'Type0' ? 2 : 1;
      for (let at = 0; at + width <= bytes.length; at += width) {
        const code = width === 1 ? (bytes[at] ?? 0) : ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
        font.allCodes.add(code);
        if (isVisible) font.codes.add(code);
      }
    },
    end() {
      for (const font of used.values()) checkFont(file, findings, font);
    },
  };
}

function checkFont(file: PdfFile, findings: Findings, font: UsedFont): void {
  const type = file.name(font.dict, 'Subtype');
  if (file.name(font.dict, 'Type') !== 'Font' || type === undefined) findings.report('font-dictionary', font.place);
  if (type === 'Type0') checkCompositeFont(file, findings, font);
  else checkSimpleFont(file, findings, font);
  checkUnicode(file, findings, font);
}

/** Character collections whose CIDs have known Unicode values (ISO 32000-1, 9.10.2). */
function isKnownCollection(file: PdfFile, font: PdfDict): boolean {
  const descendant = file.array(font, 'DescendantFonts')?.[0];
  const system = file.dict(descendant instanceof PdfDict ? descendant : undefined, 'CIDSystemInfo');
  const ordering = file.text(system, 'Ordering') ?? '';
  return file.text(system, 'Registry') === 'Adobe' && ['GB1', 'CNS1', 'Japan1', 'Korea1'].includes(ordering);
}

function checkUnicode(file: PdfFile, { report, needs }: Findings, { dict, allCodes, place }: UsedFont): void {
  if (!needs('text-unicode', 'text-unicode-value')) return;
  const map = file.get(dict, 'ToUnicode');
  const content = map instanceof PdfStream ? file.decode(map) : undefined;
  if (content === undefined) {
    const encoding = file.get(dict, 'Encoding');
    const isKnown =
      encoding instanceof PdfName && (knownEncodings.has(encoding.value) || isKnownCollection(file, dict));
    if (!isKnown) report('text-unicode', place);
    return;
  }
  const values = readToUnicode(content);
  for (const code of allCodes) {
    const value = values.get(code);
    if (value === undefined || value === '') report('text-unicode', place);
    else if (forbiddenValue.test(value)) report('text-unicode-value', place);
  }
}

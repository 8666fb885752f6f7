import { escapeAttribute, escapeText } from '@docmill/word/escape-xml';
import { attributeOf, scanXmlTags, tagName, textContent, type XmlTag } from '@docmill/word/xml-tokens';
import { levelsOf, numbersOf } from './cached-values.ts';
import type { Reference, ReferenceRole } from './references.ts';
import type { CellValue } from './workbook/filled-sheet.ts';

const elements: ReadonlyMap<string, ReferenceRole> = new Map([
  ['strDim', 'category'],
  ['numDim', 'value'],
  ['txData', 'text'],
]);

interface OpenReference {
  readonly tag: XmlTag;
  readonly role: ReferenceRole;
  formula: string;
  /** The start tag of the formula. */
  formulaTag: string;
  format: string | undefined;
}

/** Finds the references to the workbook in a chart of a type introduced with Office 2016 ([MS-ODRAWXML] 2.24.3). */
export function findExtendedReferences(xml: string): Reference[] {
  const found: Reference[] = [];
  let open: OpenReference | undefined;
  let textStart = -1;
  scanXmlTags(xml, (tag) => {
    const { local, kind, start, end } = tag;
    const role = elements.get(local);
    if (role !== undefined) {
      if (kind === 'open') open = { tag, role, formula: '', formulaTag: '', format: undefined };
      if (kind !== 'close' || open === undefined) return;
      const { formula, tag: first } = open;
      found.push({ formula, role, series: undefined, start: first.start, end, write: writer(xml, open) });
      open = undefined;
    } else if (open === undefined || kind === 'empty') return;
    else if (local === 'lvl' && kind === 'open') open.format ??= attributeOf(xml, tag, 'formatCode');
    else if (local === 'f') {
      if (kind === 'open') {
        textStart = end;
        open.formulaTag = xml.slice(start, end);
      } else open.formula = textContent(xml.slice(textStart, start));
    }
  });
  return found;
}

function writer(xml: string, { tag, role, formulaTag, format }: OpenReference): Reference['write'] {
  const startTag = xml.slice(tag.start, tag.end);
  const name = tagName(xml, tag);
  const prefix = name.slice(0, name.length - tag.local.length);
  return (formula, rows) => {
    const written = `${startTag}${formulaTag}${escapeText(formula)}</${prefix}f>`;
    if (role === 'text') return `${written}<${prefix}v>${rows[0]?.[0] ?? ''}</${prefix}v></${name}>`;
    const isValue = role === 'value';
    const code = isValue ? ` formatCode="${escapeAttribute(format ?? 'General')}"` : '';
    const levels = isValue ? [numbersOf(rows.flat())] : levelsOf(rows);
    return `${written}${levels.map((level) => writeLevel(level, prefix, code)).join('')}</${name}>`;
  };
}

function writeLevel(values: readonly CellValue[], prefix: string, code: string): string {
  const points = values.flatMap((value, i) =>
    value === undefined ? [] : [`<${prefix}pt idx="${i}">${value}</${prefix}pt>`],
  );
  return `<${prefix}lvl ptCount="${values.length}"${code}>${points.join('')}</${prefix}lvl>`;
}

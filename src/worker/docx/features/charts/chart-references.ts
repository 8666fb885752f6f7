import { escapeText } from '@docmill/word/escape-xml';
import { scanXmlTags, tagName, textContent, type XmlTag } from '@docmill/word/xml-tokens';
import { areNumbers, levelsOf, numbersOf } from './cached-values.ts';
import type { Reference, ReferenceRole } from './references.ts';
import type { CellValue } from './workbook/filled-sheet.ts';

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

/**
 * The references of a chart to its workbook, in document order (ECMA-376 part 1, 21.2.2.201, 21.2.2.123 and 21.2.2.102).
 */
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
        start: open.tag.start,
        end: tag.end,
        write: writer({ role: open.role, prefix, format, hasLevels: local === 'multiLvlStrRef' }),
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

interface Form {
  readonly role: ReferenceRole;
  /** The prefix of its elements with the colon. */
  readonly prefix: string;
  /** The number format of the values, as XML. */
  readonly format: string | undefined;
  /** Whether the categories span several columns. */
  readonly hasLevels: boolean;
}

function writer(form: Form): Reference['write'] {
  return (formula, rows) => writeReference(form, formula, rows);
}

function writeReference(
  { role, prefix, format, hasLevels }: Form,
  formula: string,
  rows: Parameters<Reference['write']>[1],
): string {
  const element = (name: string, content: string) => `<${prefix}${name}>${content}</${prefix}${name}>`;
  const wrap = (kind: string, content: string) =>
    element(`${kind}Ref`, element('f', escapeText(formula)) + element(`${kind}Cache`, content));
  const write = (values: readonly CellValue[]) => points(values, prefix);
  if (hasLevels) {
    const count = `<${prefix}ptCount val="${rows.length}"/>`;
    return wrap(
      'multiLvlStr',
      count +
        levelsOf(rows)
          .map((level) => element('lvl', points(level, prefix, false)))
          .join(''),
    );
  }
  const values = rows.flat();
  const isNumeric = role === 'value' || (role !== 'text' && areNumbers(values));
  if (!isNumeric) return wrap('str', write(values));
  return wrap('num', element('formatCode', format ?? 'General') + write(numbersOf(values)));
}

function points(values: readonly CellValue[], prefix: string, isCounted = true): string {
  const written = values.flatMap((value, i) =>
    value === undefined ? [] : [`<${prefix}pt idx="${i}"><${prefix}v>${value}</${prefix}v></${prefix}pt>`],
  );
  return (isCounted ? `<${prefix}ptCount val="${values.length}"/>` : '') + written.join('');
}

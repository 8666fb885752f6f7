import type { FeatureNode } from '../../core/nodes.ts';
import { writeXml } from '../../core/render/tag-value.ts';
import type { Reference } from './references.ts';
import { type SheetArea, writeSheetArea } from './workbook/area.ts';
import { type CellValue, filledSheet } from './workbook/filled-sheet.ts';

/** Writes a reference to filled cells: the formula of where they are now, and their values. */
export function cacheNode(reference: Reference, area: SheetArea): FeatureNode {
  return {
    kind: 'feature',
    render: (_, state) => {
      const sheet = filledSheet(state, area.sheet);
      const moved = sheet.moved(area);
      const formula = writeSheetArea({ sheet: area.sheet, ...moved });
      writeXml(writeReference(reference, formula, sheet.values(moved)), '', state);
    },
  };
}

function writeReference(reference: Reference, formula: string, rows: readonly (readonly CellValue[])[]): string {
  const { role, prefix, hasLevels } = reference;
  const columns = rows[0]?.length ?? 0;
  const element = (name: string, content: string) => `<${prefix}${name}>${content}</${prefix}${name}>`;
  const wrap = (kind: string, content: string) =>
    element(`${kind}Ref`, element('f', escapeText(formula)) + element(`${kind}Cache`, content));
  const write = (values: readonly CellValue[]) => points(values, prefix);
  if (hasLevels) {
    // The innermost level comes first: the last column.
    const levels = Array.from({ length: columns }, (_, i) => rows.map((row) => row[columns - 1 - i]));
    const count = `<${prefix}ptCount val="${rows.length}"/>`;
    return wrap('multiLvlStr', count + levels.map((level) => element('lvl', points(level, prefix, false))).join(''));
  }
  const values = rows.flat();
  const isNumeric = role === 'value' || (role !== 'text' && areNumbers(values));
  if (!isNumeric) return wrap('str', write(values));
  const numbers = values.map((value) => (typeof value === 'number' ? value : undefined));
  return wrap('num', element('formatCode', reference.format ?? 'General') + write(numbers));
}

function areNumbers(values: readonly CellValue[]): boolean {
  const given = values.filter((value) => value !== undefined);
  return given.length > 0 && given.every((value) => typeof value === 'number');
}

function points(values: readonly CellValue[], prefix: string, isCounted = true): string {
  const written = values.flatMap((value, i) =>
    value === undefined ? [] : [`<${prefix}pt idx="${i}"><${prefix}v>${value}</${prefix}v></${prefix}pt>`],
  );
  return (isCounted ? `<${prefix}ptCount val="${values.length}"/>` : '') + written.join('');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

import type { Element } from '@xmldom/xmldom';
import { attribute, type CheckedPackage, children, elements, wordNs } from './read-package.ts';

/** Rows wider than the grid of their table, and continued vertical merges without a start. */
export function tableProblems({ parts }: CheckedPackage): string[] {
  return parts.flatMap(({ name, document }) =>
    elements(document, wordNs, 'tbl').flatMap((table) => problemsOf(table).map((problem) => `${name}: ${problem}`)),
  );
}

interface Cell {
  readonly start: number;
  readonly span: number;
  readonly merge: string | undefined;
}

function problemsOf(table: Element): string[] {
  const problems: string[] = [];
  const columns = elements(table, wordNs, 'tblGrid')[0]?.getElementsByTagNameNS(wordNs, 'gridCol').length ?? 0;
  const rows = inside(table, 'tr');
  if (rows.length === 0) problems.push('a table has no rows');
  let above: readonly Cell[] = [];
  for (const [i, row] of rows.entries()) {
    const { cells, width } = readRow(row);
    if (cells.length === 0) problems.push(`row ${i + 1} of a table has no cells`);
    if (width > columns) problems.push(`row ${i + 1} of a table has ${width} columns, its grid ${columns}`);
    for (const { start, span, merge } of cells) {
      const upper = above.find((cell) => cell.start === start && cell.span === span);
      if (merge === 'continue' && upper?.merge === undefined)
        problems.push(`row ${i + 1} of a table continues a merged cell that has no start`);
    }
    above = cells;
  }
  return problems;
}

function readRow(row: Element): { cells: Cell[]; width: number } {
  const properties = children(row).find((element) => element.localName === 'trPr');
  let at = number(properties, 'gridBefore', 0);
  const cells = inside(row, 'tc').map((cell) => {
    const own = children(cell).find((element) => element.localName === 'tcPr');
    const span = number(own, 'gridSpan', 1);
    const [merged] = own === undefined ? [] : elements(own, wordNs, 'vMerge');
    const merge = merged === undefined ? undefined : attribute(merged, 'val') || 'continue';
    at += span;
    return { start: at - span, span, merge };
  });
  return { cells, width: at + number(properties, 'gridAfter', 0) };
}

function number(properties: Element | undefined, name: string, otherwise: number): number {
  const [found] = properties === undefined ? [] : elements(properties, wordNs, name);
  return found === undefined ? otherwise : Number(attribute(found, 'val'));
}

/** The rows of a table or the cells of a row, including those in content controls. */
function inside(parent: Element, name: 'tr' | 'tc'): Element[] {
  return children(parent).flatMap((element) => {
    if (element.localName === name) return [element];
    return ['sdt', 'sdtContent', 'customXml', 'ins', 'del'].includes(element.localName ?? '')
      ? inside(element, name)
      : [];
  });
}

import { attributeOf, scanXml } from '@docmill/word/xml-tokens';
import { plain } from '../language/scan-tags.ts';

/** The cell being read. */
interface Cell {
  readonly table: Table;
  readonly row: number;
  /** Its first grid column. */
  column: number;
  text: string;
}

interface Table {
  row: number;
  /** The grid column of the next cell. */
  column: number;
}

interface OpenSection {
  readonly name: string;
  readonly written: string;
  readonly cell: Cell;
}

const sectionTag = /\{\s*([#^/])([^{}]*)\}/g;

/**
 * Finds sections that begin and end in the same column of different rows, other than the first column. They repeat the
 * rows in between, whereas in other template engines they repeat the column. Returns each opening tag as written, and
 * the column tag to write instead.
 */
export function columnSections(xml: string): { readonly written: string; readonly columnTag: string }[] {
  const found: { written: string; columnTag: string }[] = [];
  const open: (OpenSection | undefined)[] = [];
  const tables: Table[] = [];
  const cells: Cell[] = [];
  let textStart = -1;
  const endCell = () => {
    const cell = cells.pop();
    for (const [written, sign = '', inner = ''] of plain(cell?.text ?? '').matchAll(sectionTag)) {
      if (cell !== undefined && sign !== '/') open.push({ name: inner.trim(), written, cell });
      else if (sign === '/') {
        const section = open.pop();
        if (section !== undefined && cell !== undefined && isColumn(section.cell, cell))
          found.push({
            written: section.written,
            columnTag: `{|${section.written.includes('^') ? '^' : ''}${section.name}}`,
          });
      }
    }
  };
  scanXml(xml, (tag) => {
    const { kind, local, start, end } = tag;
    const table = tables.at(-1);
    const cell = cells.at(-1);
    if (local === 'tbl' && kind === 'open') tables.push({ row: 0, column: 0 });
    else if (local === 'tbl' && kind === 'close') tables.pop();
    else if (local === 'tr' && kind === 'open' && table !== undefined)
      Object.assign(table, { row: table.row + 1, column: 0 });
    else if (local === 'tc' && kind === 'open' && table !== undefined) {
      cells.push({ table, row: table.row, column: table.column, text: '' });
      table.column++;
    } else if (local === 'tc' && kind === 'close') endCell();
    else if (local === 'gridSpan' && table !== undefined)
      table.column += Math.max(1, Number(attributeOf(xml, tag, 'val')) || 1) - 1;
    else if (local === 't') {
      if (kind === 'close' && textStart >= 0 && cell !== undefined) cell.text += xml.slice(textStart, start);
      textStart = kind === 'open' ? end : -1;
    }
  });
  return found;
}

function isColumn(start: Cell, end: Cell): boolean {
  return start.table === end.table && start.row !== end.row && start.column === end.column && start.column > 0;
}

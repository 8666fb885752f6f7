/** A rectangle of cells; rows and columns count from 1 and are inclusive. */
export interface Area {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export interface SheetArea extends Area {
  readonly sheet: string;
}

const cell = String.raw`\$?([A-Z]{1,3})\$?([1-9]\d{0,6})`;
const areaPattern = new RegExp(`^${cell}(?::${cell})?$`);
const formulaPattern = /^(?:'((?:[^']|'')+)'|([^'!()[\],]+))!([^!]+)$/;

/** Parses `A2` or `$A$2:$B$5` (ECMA-376 part 1, 18.18.62); undefined for anything else. */
export function parseArea(text: string): Area | undefined {
  const found = areaPattern.exec(text.trim());
  if (found === null) return undefined;
  const [, left = '', top = '', right = left, bottom = top] = found;
  const columns = [columnNumber(left), columnNumber(right)];
  const rows = [Number(top), Number(bottom)];
  return {
    top: Math.min(...rows),
    left: Math.min(...columns),
    bottom: Math.max(...rows),
    right: Math.max(...columns),
  };
}

/** Parses the formula of chart data, such as `'My data'!$A$2:$A$5`; undefined unless it names a single area. */
export function parseSheetArea(formula: string): SheetArea | undefined {
  const [, quoted, plain, cells = ''] = formulaPattern.exec(formula.trim()) ?? [];
  const sheet = quoted?.replaceAll("''", "'") ?? plain;
  const area = parseArea(cells);
  return sheet === undefined || area === undefined ? undefined : { sheet, ...area };
}

/** The formula of the area with absolute references. */
export function writeSheetArea({ sheet, ...area }: SheetArea): string {
  const start = `$${columnName(area.left)}$${area.top}`;
  const end = `$${columnName(area.right)}$${area.bottom}`;
  const name = /^[A-Za-z_]\w*$/.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`;
  return `${name}!${start === end ? start : `${start}:${end}`}`;
}

export function writeArea({ top, left, bottom, right }: Area): string {
  return `${cellName(left, top)}:${cellName(right, bottom)}`;
}

export function cellName(column: number, row: number): string {
  return `${columnName(column)}${row}`;
}

export function columnNumber(name: string): number {
  let number = 0;
  for (const letter of name) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

function columnName(number: number): string {
  const letter = String.fromCharCode(65 + ((number - 1) % 26));
  return number <= 26 ? letter : columnName(Math.floor((number - 1) / 26)) + letter;
}

export function isInside({ top, left, bottom, right }: Area, row: number, column: number): boolean {
  return row >= top && row <= bottom && column >= left && column <= right;
}

import { AppError } from '../../../../../shared/errors.ts';
import { oncePerPart } from '../../../core/render/render-state.ts';
import { chartLimits } from '../chart-limits.ts';
import type { Area } from './area.ts';

/** A number, or a string escaped as XML; undefined for an empty cell. */
export type CellValue = number | string | undefined;

/** A row of the template's sheet. */
export interface TemplateRow {
  readonly number: number;
  /** Empty rows before it, plus one. */
  readonly distance: number;
  /** Whether it is the first row of a section, whose repetitions follow without empty rows. */
  readonly startsSection: boolean;
  readonly isInSection: boolean;
  readonly isBlank: boolean;
  /** The values of the cells without tags, by column. */
  readonly fixed: ReadonlyMap<number, CellValue>;
}

export interface FilledRow {
  readonly template: TemplateRow;
  readonly number: number;
  /** The values of all cells, by column. */
  readonly cells: Map<number, CellValue>;
  /** The columns of cells that had tags. */
  readonly filled: Set<number>;
}

/** The rows of one worksheet as a render fills them. */
export class FilledSheet {
  readonly rows: FilledRow[] = [];
  readonly #ofTemplate = new Map<number, { first: FilledRow; last: FilledRow }>();
  #sectionStart = 0;
  readonly #byNumber = new Map<number, FilledRow>();
  /** The offset in the chart's output where the text of the open cell starts. */
  textStart = 0;

  startRow(template: TemplateRow): void {
    if (this.rows.length >= chartLimits.sheetRows) throw tooManyRows();
    const known = this.#ofTemplate.get(template.number);
    const distance = known !== undefined && template.startsSection ? 1 : template.distance;
    const number = (this.rows.at(-1)?.number ?? 0) + distance;
    const row = { template, number, cells: new Map(template.fixed), filled: new Set<number>() };
    this.rows.push(row);
    this.#byNumber.set(number, row);
    this.#ofTemplate.set(template.number, { first: known?.first ?? row, last: row });
  }

  setCell(column: number, value: CellValue): void {
    const row = this.rows.at(-1);
    if (value === undefined) row?.cells.delete(column);
    else row?.cells.set(column, value);
    row?.filled.add(column);
  }

  startSection(): void {
    this.#sectionStart = this.rows.length;
  }

  /** Adds an empty row for a section that printed none: a range needs a row. */
  endSection(template: TemplateRow): void {
    if (this.rows.length === this.#sectionStart) this.startRow({ ...template, fixed: new Map() });
  }

  /** The area that the cells of a template's area now occupy. An area with sections ends with the last row in use. */
  moved({ top, bottom, left, right }: Area): Area {
    const inside = this.rows.filter(({ template: { number } }) => number >= top && number <= bottom);
    const hasSections = inside.some(({ template }) => template.isInSection);
    if (!hasSections) return { top: this.#numberOf(top), bottom: this.#numberOf(bottom), left, right };
    const used = inside.filter(({ template }) => !template.isBlank).map(({ number }) => number);
    const isTopUsed = inside[0]?.template.number === top;
    const first = isTopUsed ? (used[0] ?? top) : this.#numberOf(top);
    return { top: first, bottom: Math.max(first, used.at(-1) ?? first), left, right };
  }

  /** The values of an area after the fill, row by row. */
  values({ top, bottom, left, right }: Area): CellValue[][] {
    const rows = Array.from({ length: bottom - top + 1 }, (_, i) => this.#byNumber.get(top + i)?.cells);
    return rows.map((cells) => Array.from({ length: right - left + 1 }, (_, i) => cells?.get(left + i)));
  }

  /** The current number of a template row. A missing row keeps its distance to the row before it. */
  #numberOf(template: number): number {
    const known = this.#ofTemplate.get(template);
    if (known !== undefined) return known.first.number;
    const before = this.rows.findLast((row) => row.template.number < template);
    return before === undefined ? template : before.number + template - before.template.number;
  }
}

/** The filled sheets of the chart that is being written, by lower-case name. */
const sheetsOf = oncePerPart(() => new Map<string, FilledSheet>());

type ChartState = Parameters<typeof sheetsOf>[0];

export function filledSheet(state: ChartState, name: string): FilledSheet {
  const sheets = sheetsOf(state);
  const key = name.toLowerCase();
  const sheet = sheets.get(key) ?? new FilledSheet();
  sheets.set(key, sheet);
  return sheet;
}

export function filledSheets(state: ChartState): ReadonlyMap<string, FilledSheet> {
  return sheetsOf(state);
}

function tooManyRows(): AppError {
  const message = `The data of a chart has more than ${chartLimits.sheetRows} rows`;
  const hint = 'chart fewer values, for example sums of groups';
  return new AppError('render_limit', message, { details: [{ type: 'Message', message, hint }] });
}

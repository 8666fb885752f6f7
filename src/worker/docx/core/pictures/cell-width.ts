import type { XmlTag } from '@docmill/word/xml-tokens';
import { emuPer } from './length.ts';

const known = new Set([
  'gridCol',
  'tr',
  'tc',
  'tcW',
  'gridSpan',
  'gridBefore',
  'tblCellMar',
  'left',
  'right',
  'start',
  'end',
]);

/** Reads the width of the current cell from the markup of one table (ECMA-376 part 1, 17.4), which is in twips. */
export class CellWidthReader {
  readonly #grid: number[] = [];
  #margins: number;
  #isInMargins = false;
  #column = 0;
  #span = 1;
  #written = 0;
  #isInCell = false;

  constructor(marginTwips: number) {
    this.#margins = 2 * marginTwips;
  }

  static knows(local: string): boolean {
    return known.has(local);
  }

  read(local: string, kind: XmlTag['kind'], values: ReadonlyMap<string, string>): void {
    const number = (name: string) => Math.max(0, Number(values.get(name)) || 0);
    if (local === 'tblCellMar') {
      this.#isInMargins = kind === 'open';
      if (this.#isInMargins) this.#margins = 0;
    } else if (local === 'left' || local === 'right' || local === 'start' || local === 'end') {
      if (this.#isInMargins) this.#margins += number('w');
    } else if (local === 'gridCol' && kind !== 'close') this.#grid.push(number('w'));
    else if (local === 'tr') this.#column = 0;
    else if (local === 'tc') this.#visitCell(kind);
    else if (local === 'gridSpan') this.#span = Math.min(63, number('val')) || 1;
    else if (local === 'gridBefore') this.#column = Math.min(63, number('val'));
    else if (local === 'tcW' && (values.get('type') ?? 'dxa') === 'dxa') this.#written = number('w');
  }

  /** Without margins; undefined if the table does not specify it. */
  get cellWidthEmu(): number | undefined {
    if (!this.#isInCell) return undefined;
    const inGrid = this.#grid.slice(this.#column, this.#column + this.#span).reduce((sum, width) => sum + width, 0);
    const twips = (this.#written || inGrid) - this.#margins;
    return twips > 0 ? twips * emuPer.twip : undefined;
  }

  #visitCell(kind: XmlTag['kind']): void {
    if (kind === 'open') {
      this.#isInCell = true;
      this.#span = 1;
      this.#written = 0;
    } else if (kind === 'close') {
      this.#isInCell = false;
      this.#column += this.#span;
    }
  }
}

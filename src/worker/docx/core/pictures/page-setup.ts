import { emuPer } from './length.ts';
import type { Size } from './picture.ts';

/** Reads the page size, margins and columns of one `w:sectPr` (ECMA-376 part 1, 17.6), in twips. */
export class PageSetup {
  #page: Size | undefined;
  #around: Size = { width: 0, height: 0 };
  #columns = 1;
  #gap = 720;

  read(local: string, values: ReadonlyMap<string, string>): void {
    const number = (name: string, fallback = 0) => {
      const value = Number(values.get(name));
      return Number.isFinite(value) ? value : fallback;
    };
    if (local === 'pgSz') this.#page = { width: number('w'), height: number('h') };
    if (local === 'pgMar') {
      const width = number('left') + number('right') + number('gutter');
      this.#around = { width, height: Math.abs(number('top')) + Math.abs(number('bottom')) };
    }
    if (local === 'cols') {
      this.#columns = Math.max(1, Math.min(45, number('num', 1) || 1));
      this.#gap = values.has('space') ? number('space', 720) : 720;
    }
  }

  /** The space for text in one column, in EMU. */
  get space(): Size | undefined {
    if (this.#page === undefined) return undefined;
    const all = this.#page.width - this.#around.width;
    const width = (all - (this.#columns - 1) * this.#gap) / this.#columns;
    const height = this.#page.height - this.#around.height;
    return width > 0 && height > 0 ? { width: width * emuPer.twip, height: height * emuPer.twip } : undefined;
  }
}

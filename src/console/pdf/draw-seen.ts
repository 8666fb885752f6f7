import type { Pdf } from './open-pdf.ts';
import type { PageColumn } from './page-column.ts';
import { drawSlot, emptySlot, isDrawn } from './page-slot.ts';

/** Draws the visible pages and their neighbours. */
export interface Drawing {
  /** Restarts with the pages that are visible now. Resolves when all of them are drawn, or when it is called again. */
  readonly draw: (pdf: Pdf) => Promise<void>;
  readonly stop: () => void;
}

export function createDrawing(column: PageColumn): Drawing {
  let running = new AbortController();
  return {
    stop: () => running.abort(),
    async draw(pdf) {
      running.abort();
      running = new AbortController();
      const { signal } = running;
      const scale = column.scale();
      for (const slot of column.far()) emptySlot(slot);
      for (const index of column.near()) {
        const slot = column.slots[index];
        if (slot === undefined || isDrawn(slot, scale)) continue;
        if (!slot.isMeasured) {
          const size = await pdf.sizeOf(index);
          if (signal.aborted) return;
          column.keepPlace(() => Object.assign(slot, { size, isMeasured: true }));
        }
        await drawSlot(slot, pdf, index, scale, signal);
        if (signal.aborted) return;
      }
    },
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import type { DocxPool } from '../../src/worker/docx/sandbox/docx-pool.ts';
import type { OfficePool } from '../../src/worker/pdf/office/office-pool.ts';

export interface IdleWork {
  /** How long filling a template takes when the document is a .docx. */
  readonly renderMs: number;
  readonly convertMs: number;
  /** Conversions at a time. */
  readonly slots: number;
  readonly docx: Uint8Array;
  readonly pdf: Uint8Array;
}

/** Takes the place of the engine that fills templates: waits as long as it would work, and answers the same bytes each time. */
export function idleDocx({ renderMs, docx }: IdleWork): DocxPool {
  return {
    inspect: async () => ({ tags: [], fonts: [], warnings: [], schema: {}, example: {} }),
    inspectPicture: async () => ({ type: 'png', widthPx: 1, heightPx: 1 }),
    async render({ target }) {
      if (target === 'docx') await delay(renderMs);
      return { docx, warnings: [], renderMs, waitMs: 0 };
    },
    status: () => ({ processes: 1, busy: 0, waiting: 0, kills: 0 }),
    close: async () => undefined,
  };
}

/** Takes the place of LibreOffice: so many conversions at a time, the others wait their turn. */
export function idleOffice({ convertMs, slots, pdf }: IdleWork): OfficePool {
  let free = slots;
  let conversions = 0;
  const waiting: (() => void)[] = [];
  const enter = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async convert() {
      await enter();
      await delay(convertMs);
      leave();
      conversions += 1;
      return { pdf, pages: 1, convertMs, waitMs: 0 };
    },
    status: () => ({
      ...{ slots, warm: slots, busy: slots - free, waiting: waiting.length, conversions },
      ...{ restarts: 0, kills: 0, jail: 'none', isReady: true },
    }),
    close: async () => undefined,
  };
}

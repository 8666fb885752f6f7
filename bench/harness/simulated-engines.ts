import { setTimeout as delay } from 'node:timers/promises';
import type { DocxPool } from '../../src/worker/docx/sandbox/docx-pool.ts';
import type { OfficePool } from '../../src/worker/pdf/office/office-pool.ts';

const engine = { name: 'simulated', version: '0' };

export interface SimulatedWork {
  /** The simulated time to fill a .docx template. */
  readonly renderMs: number;
  readonly convertMs: number;
  /** Concurrent conversions. */
  readonly slots: number;
  readonly docx: Uint8Array;
  readonly pdf: Uint8Array;
}

/** A template engine that waits instead of working and always returns the same bytes. */
export function simulatedDocx({ renderMs, docx }: SimulatedWork): DocxPool {
  return {
    inspect: async () => ({
      tags: [],
      fonts: [],
      warnings: [],
      accessibility: [],
      schema: {},
      example: {},
      includes: [],
    }),
    inspectPicture: async () => ({ type: 'png', widthPx: 1, heightPx: 1 }),
    inspectFont: async () => Promise.reject(new Error('a bench uploads no fonts')),
    inspectInvoice: async () => Promise.reject(new Error('a bench uploads no invoices')),
    compareInvoice: async () => Promise.reject(new Error('a bench makes no invoices')),
    makeInvoice: async () => Promise.reject(new Error('a bench makes no invoices')),
    async render({ target }) {
      if (target === 'docx') await delay(renderMs);
      return { docx, warnings: [], hasPageFields: false, renderMs, waitMs: 0 };
    },
    fillPages: async () => Promise.reject(new Error('a bench has no fields that depend on pages')),
    status: () => ({ processes: 1, busy: 0, waiting: 0, kills: 0, stops: 0 }),
    waitingOf: () => 0,
    close: async () => undefined,
  };
}

/** A LibreOffice pool that waits instead of working; conversions beyond the slots queue. */
export function simulatedOffice({ convertMs, slots, pdf }: SimulatedWork): OfficePool {
  let free = slots;
  let conversions = 0;
  const waiting: { readonly account: string | undefined; readonly start: () => void }[] = [];
  const acquire = async (account: string | undefined): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((start) => waiting.push({ account, start }));
  };
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next.start();
  };
  return {
    async convert({ account }) {
      await acquire(account);
      await delay(convertMs);
      release();
      conversions += 1;
      const layout = { pages: 0, pagesAfterBlank: [], marks: {} };
      return { pdf, pages: 1, tableParts: 0, layout, engine, warnings: [], convertMs, waitMs: 0 };
    },
    status: () => ({
      slots,
      warm: slots,
      busy: slots - free,
      waiting: waiting.length,
      conversions,
      restarts: 0,
      kills: 0,
      stops: 0,
      jail: 'none',
      engine,
      isReady: true,
    }),
    waitingOf: (account) => waiting.filter((request) => request.account === account).length,
    close: async () => undefined,
  };
}

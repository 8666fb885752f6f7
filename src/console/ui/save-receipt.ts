import type { Docmill } from '@docmill/client';
import { saveFile } from './save-file.ts';

type Receipt = Awaited<ReturnType<Docmill['jobs']['receipt']>>;

/** Downloads the receipt of a document as JSON. */
export function saveReceipt(receipt: Receipt): void {
  const json = JSON.stringify(receipt, null, 2);
  saveFile(new Blob([json], { type: 'application/json' }), `${receipt.receipt.id}-receipt.json`);
}

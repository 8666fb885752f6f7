import { findPendingErasures } from '../../shared/domain/erasure/pending-erasures.ts';
import { eraseDocuments } from './erase-documents.ts';
import type { Stores } from './stores.ts';

const documentsAtOnce = 200;

/** Completes all interrupted erasures. Returns the number of documents. */
export async function resumeErasures(stores: Stores): Promise<number> {
  let erased = 0;
  for (;;) {
    const ids = await findPendingErasures(stores.db, documentsAtOnce);
    if (ids.length === 0) return erased;
    erased += await eraseDocuments(stores, ids);
  }
}

import { AppError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';

interface Discarding {
  readonly objects: ObjectStore;
  readonly logger: Logger;
}

/**
 * Writes a row that refers to a stored object, and removes the object when the row was certainly not written. After an
 * outage the commit may have succeeded, so the object stays; the sweep removes it if it is orphaned.
 */
export async function keepIfWritten<T extends { readonly isWritten: boolean }>(
  deps: Discarding,
  { objectKey }: { readonly objectKey: string },
  write: () => Promise<T>,
): Promise<T> {
  try {
    const written = await write();
    if (!written.isWritten) await discardObject(deps, objectKey);
    return written;
  } catch (error) {
    if (error instanceof AppError && error.code !== 'unavailable') await discardObject(deps, objectKey);
    throw error;
  }
}

/** Removes an object that no row refers to; if that fails, the sweep removes it later. */
export async function discardObject({ objects, logger }: Discarding, objectKey: string): Promise<void> {
  await objects.remove([objectKey]).catch((error: unknown) => {
    logger.warn({ err: error, objectKey }, 'an orphaned object is left to the sweep');
  });
}

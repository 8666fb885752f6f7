import { AppError } from '../../shared/errors.ts';
import type { ApiDeps } from '../context.ts';

/**
 * Runs the write that points at stored bytes, and removes them again when it certainly did not. An outage leaves that
 * open (the commit may have arrived), so the bytes stay then, for the sweep of stray objects to judge.
 */
export async function keepIfWritten<T extends { readonly isWritten: boolean }>(
  deps: ApiDeps,
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

/** Removes an object that no row points at; when that fails, it is left to the sweep. */
export async function discardObject({ objects, logger }: ApiDeps, objectKey: string): Promise<void> {
  await objects.remove([objectKey]).catch((error: unknown) => {
    logger.warn({ err: error, objectKey }, 'a stray object is left behind');
  });
}

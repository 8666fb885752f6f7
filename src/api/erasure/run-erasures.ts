import {
  claimErasure,
  type ErasureClaim,
  endErasureRequest,
  extendErasure,
  postponeErasure,
} from '../../shared/domain/erasure/erasure-requests.ts';
import { AppError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import { completeDeletion } from './delete-account.ts';
import { eraseAddress, eraseDocument } from './erase.ts';
import type { Stores } from './stores.ts';

const pollMs = 2_000;
const leaseMs = 60_000;
const extendEveryMs = 15_000;
const retryMs = 30_000;

/** Performs the erasures that operators request by HTTP, one at a time. */
export interface ErasureRunner {
  /** Claims no more. An erasure in progress continues in another process after this one has ended. */
  stop(): void;
}

/**
 * Polls for erasures. A claim ends a minute after its process died, and then another process repeats the erasure, whose
 * steps are idempotent. During an outage it is tried again later.
 */
export function startErasures(stores: Stores, logger: Logger, host: string): ErasureRunner {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const poll = async (): Promise<void> => {
    let hadWork = false;
    try {
      const claim = await claimErasure(stores.db, leaseMs);
      hadWork = claim !== undefined;
      if (claim !== undefined) await perform(stores, claim, logger, host);
    } catch (error) {
      if (!isStopped) logger.warn({ err: error }, 'an erasure could not be performed');
    }
    if (!isStopped) timer = setTimeout(() => void poll(), hadWork ? 0 : pollMs).unref();
  };
  timer = setTimeout(() => void poll(), pollMs).unref();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

async function perform(stores: Stores, claim: ErasureClaim, logger: Logger, host: string): Promise<void> {
  const { db } = stores;
  const pulse = setInterval(() => void extendErasure(db, claim, leaseMs).catch(() => undefined), extendEveryMs).unref();
  try {
    const result = await erase(stores, claim);
    // failpoint: erasure-before-end
    await endErasureRequest(db, claim, { result }, host);
    logger.info({ erasureId: claim.id }, 'an erasure has succeeded');
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') {
      logger.warn({ err: error, erasureId: claim.id }, 'an erasure is tried again later');
      await postponeErasure(db, claim, retryMs);
      return;
    }
    logger.error({ err: error, erasureId: claim.id }, 'an erasure has failed');
    const end =
      error instanceof AppError
        ? { error: error.message, code: error.code }
        : { error: 'Internal error. The log of the API has the details.', code: 'internal' };
    await endErasureRequest(db, claim, end, host);
  } finally {
    clearInterval(pulse);
  }
}

async function erase(
  stores: Stores,
  { kind, target, recipient, withinAccount }: ErasureClaim,
): Promise<Readonly<Record<string, string | number>>> {
  if (kind === 'account') return { ...(await completeDeletion(stores, target ?? '')) };
  if (kind === 'document') return { ...(await eraseDocument(stores, target ?? '')) };
  return { ...(await eraseAddress(stores, recipient ?? '', withinAccount ?? undefined)) };
}

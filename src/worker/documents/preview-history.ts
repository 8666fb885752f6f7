import type { DocumentInputs } from '../../shared/domain/documents/fingerprint.ts';
import { AppError } from '../../shared/errors.ts';
import { previewLossesKey } from '../../shared/queue/preview-task.ts';
import type { WorkerDeps } from '../deps.ts';
import type { JobRun } from '../job-run.ts';
import { type ConversionHistory, refuseQuarantined } from './conversion-history.ts';
import { isRefreshUnsafe } from './unsafe-refreshes.ts';

/** How long a crash or hang of LibreOffice counts against the account's previews. */
const lossesTtlSeconds = 600;

/**
 * The history of a preview. It uses the history of its stored template, but records nothing except a count of the
 * account's crashes, so that experiments neither suspend a template nor leave files.
 */
export function historyOfPreview(
  deps: WorkerDeps,
  job: JobRun,
  {
    id,
    accountId,
    inputs,
  }: { readonly id: string; readonly accountId: string; readonly inputs: DocumentInputs | undefined },
): ConversionHistory {
  return {
    isRefreshUnsafe: async () => inputs !== undefined && (await isRefreshUnsafe(deps, inputs)),
    rememberUnsafeRefresh: () => countLoss(deps, job, accountId),
    refuseQuarantined: async () => {
      if (inputs !== undefined) await refuseQuarantined(deps, inputs);
    },
    refuseOutdated: async () => {
      if (!(await deps.transient.has('preview', id)))
        throw new AppError('unavailable', 'The request for this preview has ended.');
    },
    async recordFailure(_docx, error) {
      job.logger.warn({ previewId: id, reason: error.code }, 'a preview killed or hung a LibreOffice slot');
      await countLoss(deps, job, accountId);
      return false;
    },
  };
}

/** If Redis is unavailable, the count is lost, but previews fail anyway. */
async function countLoss({ redis, config }: WorkerDeps, { logger }: JobRun, accountId: string): Promise<void> {
  const key = previewLossesKey(config.QUEUE_PREFIX, accountId);
  await redis
    .multi()
    .incr(key)
    .expire(key, lossesTtlSeconds)
    .exec()
    .catch((error: unknown) => logger.warn({ err: error }, 'a crash of a preview was not counted'));
}

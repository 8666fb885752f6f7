import type { NamedRow, Row } from './row.ts';
import { mailRows } from './rows/deliveries/mail.ts';
import { mailContentRows } from './rows/deliveries/mail-contents.ts';
import { webhookRows } from './rows/deliveries/webhooks.ts';
import { busyAccountRows } from './rows/fairness/busy-accounts.ts';
import { workerLossRows } from './rows/fairness/worker-losses.ts';
import { postgresDiskRows } from './rows/infrastructure/postgres-disks.ts';
import { postgresOutageRows } from './rows/infrastructure/postgres-outages.ts';
import { postgresRaceRows } from './rows/infrastructure/postgres-races.ts';
import { redisLimitRows } from './rows/infrastructure/redis-limits.ts';
import { redisOutageRows } from './rows/infrastructure/redis-outages.ts';
import { storageRows } from './rows/infrastructure/storage.ts';
import { hostileBodyRows } from './rows/input/hostile-bodies.ts';
import { hostileRequestRows } from './rows/input/hostile-requests.ts';
import { hostileTextRows } from './rows/input/hostile-texts.ts';
import { hostileUploadRows } from './rows/input/hostile-uploads.ts';
import { secretRows } from './rows/input/secrets.ts';
import { slowClientRows } from './rows/input/slow-clients.ts';
import { batchEndRows } from './rows/jobs/batch-ends.ts';
import { batchRows } from './rows/jobs/batches.ts';
import { idempotencyRows } from './rows/jobs/idempotency.ts';
import { quotaMonthRows } from './rows/jobs/quota-months.ts';
import { resultExpiryRows } from './rows/jobs/result-expiry.ts';
import { conversionContentRows } from './rows/workers/conversion-contents.ts';
import { conversionFaultRows } from './rows/workers/conversion-faults.ts';
import { previewRows } from './rows/workers/previews.ts';
import { workerCrashRows } from './rows/workers/worker-crashes.ts';
import { workerLimitRows } from './rows/workers/worker-limits.ts';
import { workerRestartRows } from './rows/workers/worker-restarts.ts';

/** All groups of the matrix in order. */
export const groups: Readonly<Record<string, readonly Row[]>> = {
  worker: [...workerCrashRows, ...previewRows, ...workerLimitRows, ...workerRestartRows],
  fairness: [...busyAccountRows, ...workerLossRows],
  redis: [...redisOutageRows, ...redisLimitRows],
  postgres: [...postgresOutageRows, ...postgresRaceRows, ...postgresDiskRows],
  clients: [...idempotencyRows, ...slowClientRows],
  storage: storageRows,
  batches: [...batchRows, ...batchEndRows],
  mail: [...mailRows, ...mailContentRows],
  webhooks: webhookRows,
  time: [...quotaMonthRows, ...resultExpiryRows],
  conversion: [...conversionFaultRows, ...conversionContentRows],
  input: [...hostileUploadRows, ...hostileBodyRows, ...hostileRequestRows, ...hostileTextRows, ...secretRows],
};

/** Rows of the matrix that no program here runs. */
export const namedRows: readonly NamedRow[] = [];

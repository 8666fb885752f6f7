import type { NamedRow, Row } from './row.ts';
import { batchEndRows } from './rows/batch-ends.ts';
import { batchRows } from './rows/batches.ts';
import { conversionContentRows } from './rows/conversion-contents.ts';
import { conversionFaultRows } from './rows/conversion-faults.ts';
import { hostileBodyRows } from './rows/hostile-bodies.ts';
import { hostileRequestRows } from './rows/hostile-requests.ts';
import { hostileTextRows } from './rows/hostile-texts.ts';
import { hostileUploadRows } from './rows/hostile-uploads.ts';
import { idempotencyRows } from './rows/idempotency.ts';
import { mailRows } from './rows/mail.ts';
import { mailContentRows } from './rows/mail-contents.ts';
import { postgresOutageRows } from './rows/postgres-outages.ts';
import { postgresRaceRows } from './rows/postgres-races.ts';
import { quotaMonthRows } from './rows/quota-months.ts';
import { redisLimitRows } from './rows/redis-limits.ts';
import { redisOutageRows } from './rows/redis-outages.ts';
import { resultExpiryRows } from './rows/result-expiry.ts';
import { secretRows } from './rows/secrets.ts';
import { slowClientRows } from './rows/slow-clients.ts';
import { storageRows } from './rows/storage.ts';
import { webhookRows } from './rows/webhooks.ts';
import { workerCrashRows } from './rows/worker-crashes.ts';
import { workerLimitRows } from './rows/worker-limits.ts';
import { workerRestartRows } from './rows/worker-restarts.ts';

/** All groups of the matrix, in its order. */
export const groups: Readonly<Record<string, readonly Row[]>> = {
  worker: [...workerCrashRows, ...workerLimitRows, ...workerRestartRows],
  redis: [...redisOutageRows, ...redisLimitRows],
  postgres: [...postgresOutageRows, ...postgresRaceRows],
  clients: [...idempotencyRows, ...slowClientRows],
  storage: storageRows,
  batches: [...batchRows, ...batchEndRows],
  mail: [...mailRows, ...mailContentRows],
  webhooks: webhookRows,
  time: [...quotaMonthRows, ...resultExpiryRows],
  conversion: [...conversionFaultRows, ...conversionContentRows],
  input: [...hostileUploadRows, ...hostileBodyRows, ...hostileRequestRows, ...hostileTextRows, ...secretRows],
};

/** What the matrix names and no program here runs. */
export const namedRows: readonly NamedRow[] = [];

import type { Row } from './row.ts';
import { mailRows } from './rows/deliveries/mail.ts';
import { webhookRows } from './rows/deliveries/webhooks.ts';
import { limitRows } from './rows/infrastructure/limits.ts';
import { postgresOutageRows, redisOutageRows } from './rows/infrastructure/outages.ts';
import { postgresDiskRows } from './rows/infrastructure/postgres-disks.ts';
import { storageRows } from './rows/infrastructure/storage.ts';
import { hostileBodyRows } from './rows/input/hostile-bodies.ts';
import { hostileTextRows } from './rows/input/hostile-texts.ts';
import { hostileUploadRows } from './rows/input/hostile-uploads.ts';
import { secretRows } from './rows/input/secrets.ts';
import { slowClientRows } from './rows/input/slow-clients.ts';
import { apiCrashRows } from './rows/jobs/api-crashes.ts';
import { batchRows } from './rows/jobs/batches.ts';
import { timeRows } from './rows/jobs/months-and-expiry.ts';
import { hungConversionRows } from './rows/workers/hung-conversions.ts';
import { previewRows } from './rows/workers/previews.ts';
import { workerCrashRows } from './rows/workers/worker-crashes.ts';
import { workerLossRows } from './rows/workers/worker-losses.ts';
import { workerRestartRows } from './rows/workers/worker-restarts.ts';

/** All groups of the matrix in order. */
export const groups: Readonly<Record<string, readonly Row[]>> = {
  worker: [...workerCrashRows, ...previewRows, ...workerRestartRows, ...workerLossRows],
  redis: [...redisOutageRows, ...limitRows],
  postgres: [...postgresOutageRows, ...postgresDiskRows],
  clients: [...apiCrashRows, ...slowClientRows],
  storage: storageRows,
  batches: batchRows,
  mail: mailRows,
  webhooks: webhookRows,
  time: timeRows,
  conversion: hungConversionRows,
  input: [...hostileUploadRows, ...hostileBodyRows, ...hostileTextRows, ...secretRows],
};

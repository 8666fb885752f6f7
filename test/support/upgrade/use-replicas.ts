import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { ensureBuilt } from '../../../tools/local/build.ts';
import { projectFolder } from '../../faults/harness/service-process.ts';
import { newPrefix } from '../services/redis.ts';
import { openReplicas, type Replicas } from './replicas.ts';

/**
 * Processes of the production build that use the servers of the suite and the database `url`, and their folder, for one
 * test.
 */
export async function useReplicas(
  url: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<Replicas & { readonly folder: string }> {
  await ensureBuilt(projectFolder, process.env, () => undefined, new AbortController().signal);
  const folder = mkdtempSync(join(tmpdir(), 'docmill-replicas-'));
  const officeFolder = join(folder, 'office');
  mkdirSync(officeFolder);
  const { endpoint, region, accessKey, secretKey } = inject('s3');
  const replicas = openReplicas(folder, {
    DATABASE_URL: url,
    REDIS_URL: inject('redisUrl'),
    QUEUE_PREFIX: newPrefix(),
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    // A bucket belongs to one database; the API creates it.
    S3_BUCKET: newPrefix(),
    S3_ACCESS_KEY_ID: accessKey,
    S3_SECRET_ACCESS_KEY: secretKey,
    SMTP_URL: inject('smtpUrl'),
    WORKER_QUEUES: 'docx,inspect,mail,maintenance',
    RENDER_PROCESSES: '1',
    OFFICE_TEMP_DIR: officeFolder,
    TMPDIR: folder,
    ...changes,
  });
  onTestFinished(async () => {
    await replicas.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { ...replicas, folder };
}

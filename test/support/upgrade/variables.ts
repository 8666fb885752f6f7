import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { newPrefix } from '../services/redis.ts';

/** Variables with which processes of the service use the servers of the suite and the database `url`. */
export function variablesOf(url: string, folder: string): Record<string, string> {
  const { endpoint, region, accessKey, secretKey } = inject('s3');
  const officeFolder = join(folder, 'office');
  mkdirSync(officeFolder);
  return {
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
  };
}

import { hash } from 'node:crypto';
import { loadStorageConfig, type StorageConfig } from '../../shared/config/load-config.ts';
import { openObjects } from '../../shared/connections.ts';
import { newId } from '../../shared/ids.ts';
import { createLogger } from '../../shared/logger.ts';
import { compareClock, type Finding, failed, ok, reasonOf } from './finding.ts';

const clockLimitMs = 5_000;

/** Writes, reads and removes a small object, as the service would, and compares the store's clock. */
export async function checkStorage(): Promise<readonly Finding[]> {
  const config = loadStorageConfig();
  const objects = openObjects(
    { ...config, S3_TIMEOUT_MS: Math.min(config.S3_TIMEOUT_MS, 8_000) },
    createLogger('silent', 'doctor'),
  );
  const key = `doctor/${newId('req')}`;
  const bytes = Buffer.from('written by admin doctor');
  let step = 'written';
  try {
    await objects.put(key, bytes, 'text/plain');
    step = 'read';
    const read = await objects.get(key, hash('sha256', bytes));
    if (read === undefined) throw new Error('the object is missing after it was written');
    step = 'removed';
    await objects.remove([key]);
    return [
      ok('file store', `objects are written, read and removed in ${config.S3_BUCKET}`),
      ...(await checkClock(config)),
    ];
  } catch (error) {
    const message = `an object cannot be ${step} in ${config.S3_BUCKET}: ${reasonOf(error)}`;
    const fix =
      'Check S3_ENDPOINT, S3_BUCKET and the keys; their policy must allow s3:GetObject, PutObject, DeleteObject and ListBucket';
    return [failed('file store', message, fix), ...(await checkClock(config))];
  } finally {
    objects.close();
  }
}

/** Any response has a date, also a refusal (RFC 9110, 6.6.1), in whole seconds. */
async function checkClock({ S3_ENDPOINT }: StorageConfig): Promise<readonly Finding[]> {
  const before = Date.now();
  try {
    const response = await fetch(S3_ENDPOINT, { method: 'HEAD', signal: AbortSignal.timeout(clockLimitMs) });
    const theirMs = Date.parse(response.headers.get('date') ?? '');
    return Number.isNaN(theirMs) ? [] : [compareClock('clock of the file store', theirMs, before - 1_000, Date.now())];
  } catch {
    // The check above reports that the store does not answer.
    return [];
  }
}

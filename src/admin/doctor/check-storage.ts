import { hash } from 'node:crypto';
import { loadAdminConfig, loadStorageConfig, type StorageConfig } from '../../shared/config/load-config.ts';
import { openObjects } from '../../shared/connections.ts';
import { openDatabase } from '../../shared/db/client.ts';
import { readInstallation } from '../../shared/domain/installation.ts';
import { newId } from '../../shared/ids.ts';
import { createLogger } from '../../shared/logger.ts';
import { readBucketState } from '../../shared/storage/bucket-owner.ts';
import type { ObjectStore } from '../../shared/storage/objects.ts';
import { compareClock, type Finding, failed, ok, reasonOf, warning } from './finding.ts';

const clockLimitMs = 5_000;

/** Writes, reads and removes a small object, as the service does, and compares the store's clock with ours. */
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
      await checkOwner(objects),
      await checkVersions(objects, config.S3_BUCKET),
      ...(await checkClock(config)),
    ];
  } catch (error) {
    const message = `an object cannot be ${step} in ${config.S3_BUCKET}: ${reasonOf(error)}`;
    return [failed('file store', message, fixOf(error, config)), ...(await checkClock(config))];
  } finally {
    objects.close();
  }
}

/** The fix for an error of the store, by its code (Amazon S3 API, "List of error codes"). */
function fixOf(error: unknown, { S3_BUCKET }: StorageConfig): string {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  switch (code) {
    case 'NoSuchBucket':
    case 'NotFound':
      return `Create the bucket ${S3_BUCKET}, or set S3_BUCKET to one that exists; check S3_ENDPOINT, too`;
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
    case 'InvalidToken':
    case 'ExpiredToken':
      return 'Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to a valid key of the store; the bucket was not reached';
    case 'AccessDenied':
    case 'AllAccessDisabled':
      return `Let the policy of the key allow s3:ListBucket on ${S3_BUCKET}, and s3:GetObject, PutObject, DeleteObject and AbortMultipartUpload on its objects`;
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
      return `Set S3_REGION to the region of ${S3_BUCKET}, and S3_ENDPOINT to its address`;
    case 'RequestTimeTooSkewed':
      return 'Synchronize the clocks of this machine and the store by NTP';
    default:
      return 'Check S3_ENDPOINT, the way to it, and S3_CA';
  }
}

/** Checks that the bucket belongs to the database, without marking it. */
async function checkOwner(objects: ObjectStore): Promise<Finding> {
  const check = 'owner of the file store';
  try {
    const { DATABASE_URL: url, DATABASE_TIMEOUT_MS: timeoutMs } = loadAdminConfig();
    const { db, close } = openDatabase(
      { url, poolSize: 1, timeoutMs, applicationName: 'docmill-doctor' },
      createLogger('silent', 'doctor'),
    );
    try {
      const state = await readBucketState(db, objects);
      if (state.kind === 'foreign')
        return failed(
          check,
          state.problem,
          'See DocmillBucketForeign in docs/operations/runbooks.md; until then nothing is written to the bucket or removed from it',
        );
      const { removalsHeldAt } = await readInstallation(db);
      if (removalsHeldAt !== null)
        return warning(
          check,
          `orphaned objects have been kept since ${removalsHeldAt.toISOString()}: the database was restored, or took over the bucket`,
          'Review them with admin orphans, then run admin remove-orphans',
        );
      const isOwned = state.kind === 'owned';
      return ok(
        check,
        isOwned ? 'the bucket belongs to this database' : 'none yet: the first process marks the bucket',
      );
    } finally {
      await close();
    }
  } catch (error) {
    const fix = 'Fix the problems that the postgresql checks report, then run doctor again';
    return warning(check, `not compared with the database: ${reasonOf(error)}`, fix);
  }
}

async function checkVersions(objects: ObjectStore, bucket: string): Promise<Finding> {
  const check = 'versions of the file store';
  const hasVersions = await objects.hasVersions();
  if (hasVersions === undefined) return ok(check, `the store does not say whether ${bucket} has versions`);
  if (!hasVersions) return ok(check, 'none: removed objects are gone');
  return warning(
    check,
    `${bucket} keeps versions: erased and expired objects remain as old versions`,
    'Add a lifecycle rule that expires noncurrent versions (NoncurrentVersionExpiration), or suspend versioning and remove them',
  );
}

/** Every response has a `Date`, even an error (RFC 9110, 6.6.1), in whole seconds. */
async function checkClock({ S3_ENDPOINT }: StorageConfig): Promise<readonly Finding[]> {
  const before = Date.now();
  try {
    const response = await fetch(S3_ENDPOINT, { method: 'HEAD', signal: AbortSignal.timeout(clockLimitMs) });
    const theirMs = Date.parse(response.headers.get('date') ?? '');
    return Number.isNaN(theirMs) ? [] : [compareClock('clock of the file store', theirMs, before - 1_000, Date.now())];
  } catch {
    // The check above already reports an unreachable store.
    return [];
  }
}

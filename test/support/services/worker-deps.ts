import { Registry } from 'prom-client';
import { inject, onTestFinished } from 'vitest';
import { loadWorkerConfig } from '../../../src/shared/config/load-config.ts';
import type { Database } from '../../../src/shared/db/client.ts';
import { createClaimer } from '../../../src/shared/domain/documents/claim-document.ts';
import { createSettler } from '../../../src/shared/domain/documents/succeed-document.ts';
import { createQueues } from '../../../src/shared/queue/queues.ts';
import { createStages } from '../../../src/shared/stages.ts';
import { createBucketOwner } from '../../../src/shared/storage/bucket-owner.ts';
import { createObjectStore } from '../../../src/shared/storage/objects.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { createCoverageLoader, createFontLoader } from '../../../src/worker/documents/account-fonts.ts';
import { createAssetLoader } from '../../../src/worker/documents/load-assets.ts';
import { createWordsLoader } from '../../../src/worker/documents/load-words.ts';
import { createTemplateCache } from '../../../src/worker/documents/template-cache.ts';
import { createWorkerMetrics } from '../../../src/worker/metrics.ts';
import { newPrefix, silent, useRedis } from './redis.ts';
import { newTransientStore } from './transient.ts';

/** The dependencies of a worker, with a separate queue prefix and bucket, and without engines. */
export async function newWorkerDeps(
  db: Database,
  databaseUrl: string,
  changes: Readonly<Record<string, string>> = {},
): Promise<WorkerDeps> {
  const { endpoint, region, accessKey, secretKey } = inject('s3');
  const config = loadWorkerConfig({
    DATABASE_URL: databaseUrl,
    REDIS_URL: inject('redisUrl'),
    QUEUE_PREFIX: newPrefix(),
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: newPrefix(),
    S3_ACCESS_KEY_ID: accessKey,
    S3_SECRET_ACCESS_KEY: secretKey,
    SMTP_URL: inject('smtpUrl'),
    // A step of a sweep may use a part of its interval: here as long as it needs.
    SWEEP_INTERVAL_MS: '600000',
    ...changes,
  });
  const redis = await useRedis('commands', Number(new URL(config.REDIS_URL).port));
  const store = createObjectStore({
    endpoint: config.S3_ENDPOINT,
    region,
    bucket: config.S3_BUCKET,
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    timeoutMs: config.S3_TIMEOUT_MS,
  });
  await store.prepare();
  const bucket = createBucketOwner(db, store, silent);
  const { objects } = bucket;
  onTestFinished(() => objects.close());
  return {
    config,
    logger: silent,
    db,
    redis,
    queues: createQueues(redis, config.QUEUE_PREFIX, silent),
    objects,
    bucket,
    transient: newTransientStore(redis, config.QUEUE_PREFIX),
    stages: createStages(new Registry()),
    metrics: createWorkerMetrics(new Registry()),
    claim: createClaimer(db, 60_000),
    succeed: createSettler(db, 60_000),
    templates: createTemplateCache(objects, 1_000_000),
    loadAssets: createAssetLoader(db, objects, 1_000_000),
    loadWords: createWordsLoader(db, 1_000_000),
    loadFont: createFontLoader(objects, 1_000_000),
    loadCoverage: createCoverageLoader(db, 1_000),
    docx: undefined,
    office: undefined,
    conformance: undefined,
    mailer: undefined,
    webhooks: undefined,
  };
}

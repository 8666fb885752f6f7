import { Registry } from 'prom-client';
import { afterAll } from 'vitest';
import type { ApiDeps } from '../../../src/api/api-deps.ts';
import { adminOperations, createApp, operations, type ServedPart } from '../../../src/api/app.ts';
import { createOpenApiDocument } from '../../../src/api/documentation/openapi-document.ts';
import { createDocumentLimit } from '../../../src/api/documents/document-limit.ts';
import { createAccountLimit } from '../../../src/api/http/account-limit.ts';
import { createJsonParser } from '../../../src/api/http/json-parser.ts';
import { createApiMetrics } from '../../../src/api/metrics.ts';
import { serve } from '../../../src/api/server.ts';
import { loadApiConfig } from '../../../src/shared/config/load-config.ts';
import type { KeyHolder } from '../../../src/shared/domain/api-keys/find-key.ts';
import type { OperatorHolder } from '../../../src/shared/domain/operators/operator-keys.ts';
import { createSecretBox } from '../../../src/shared/domain/webhooks/secret-box.ts';
import { createTargetPolicy } from '../../../src/shared/domain/webhooks/target-policy.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { createStages } from '../../../src/shared/stages.ts';
import { type ApiClient, createApiClient } from '../../support/client/api-client.ts';
import { createContractCheck, type OpenApi } from '../../support/client/api-contract.ts';
import { required } from '../shared/config/required-variables.ts';

const config = loadApiConfig(required);
const check = createContractCheck(createOpenApiDocument(operations, undefined, adminOperations) as unknown as OpenApi);

/** The status that a request gets when it passes every check and then reaches the first service that is not running. */
export const admitted = 503;

/** Replaces a service that is not running: any call to it ends the request with `admitted`. */
const missingService = (): never =>
  new Proxy(
    {},
    {
      get() {
        throw new AppError('unavailable', 'a service was asked');
      },
    },
  ) as never;

const everyKey: KeyHolder = { accountId: 'acc_1', keyId: 'key_1', scopes: null, isTest: false, isSuspended: false };

const everyOperator: OperatorHolder = {
  operatorKeyId: 'opk_1',
  scopes: null,
  requestsPerMinute: null,
  addressRanges: null,
  expiresAt: null,
};

export interface Application {
  readonly url: string;
  /** A client whose key has all scopes. It checks every response against the OpenAPI document. */
  readonly client: ApiClient;
  readonly anonymous: ApiClient;
  clientOf(key: string): ApiClient;
}

interface RunningServices {
  /** By default a free one. */
  readonly port?: number;
  /** Services that are running, instead of those that end a request. */
  readonly services?: Partial<ApiDeps>;
}

/** Starts the whole application without services, at an address of its own, until the tests of the file have ended. */
export async function startApplication(
  holders: Readonly<Record<string, Partial<KeyHolder>>> = {},
  operators: Readonly<Record<string, Partial<OperatorHolder>>> = {},
  part: ServedPart = 'all',
  { port = 0, services = {} }: RunningServices = {},
): Promise<Application> {
  const keys: Readonly<Record<string, Partial<KeyHolder>>> = { all: {}, ...holders };
  const holderOf = (key: string) => (Object.hasOwn(keys, key) ? { ...everyKey, ...keys[key] } : undefined);
  const operatorOf = (key: string) =>
    Object.hasOwn(operators, key) ? { ...everyOperator, ...operators[key] } : undefined;
  const limiter = { options: { requests: 0, windowSeconds: 1, prefix: 'x' }, consume: async () => undefined };
  const accounts = createAccountLimit({ maxTotal: 100, maxPerAccount: 100, message: 'busy', retryAfterSeconds: 1 });
  const registry = new Registry();
  const json = createJsonParser();
  const deps: ApiDeps = {
    config,
    logger: createLogger('silent', 'test'),
    db: missingService(),
    redis: missingService(),
    queues: missingService(),
    objects: missingService(),
    transient: missingService(),
    accept: missingService(),
    acceptOnce: missingService(),
    stages: createStages(registry),
    metrics: createApiMetrics(registry),
    results: missingService(),
    waitingRequests: accounts,
    documentLimit: createDocumentLimit({ maxPerAccount: 50, maxLargePerAccount: 50, readDelayMs: () => 0 }),
    json,
    backlog: { admit: async () => undefined },
    engines: missingService(),
    keys: {
      peek: () => undefined,
      wasLive: (key) => holderOf(key) !== undefined,
      find: async (key) => holderOf(key),
      recheckMs: () => 5_000,
      counts: () => ({ hits: 0, misses: 0 }),
    },
    limiter,
    testLimiter: limiter,
    previewLimiter: limiter,
    fonts: missingService(),
    findOperator: async (key) => operatorOf(key),
    operatorLimiters: { of: () => limiter },
    keyUse: { note: () => undefined, close: async () => undefined },
    secrets: createSecretBox([]),
    targets: createTargetPolicy({ allowHttp: false, allowPrivate: [] }),
    receiptKey: undefined,
    receiptKeys: [],
    batchUploads: accounts,
    batchWrites: missingService(),
    batchMonitor: missingService(),
    ...services,
  };
  const service = await serve({
    host: '127.0.0.1',
    port,
    maxConnections: 100,
    unreadTimeoutMs: 60_000,
    onRefused: () => undefined,
    callerOf: () => 'client',
    isLargeUpload: () => false,
    fetch: createApp(deps, async () => ({ status: 'ready', checks: {} }), part).fetch,
  });
  afterAll(async () => {
    await Promise.all([service.drain(0), json.close()]);
  });
  const url = `http://127.0.0.1:${(service.address as { readonly port: number }).port}`;
  const clientOf = (key: string) => createApiClient(url, check, key);
  return { url, client: clientOf('all'), anonymous: createApiClient(url, check), clientOf };
}

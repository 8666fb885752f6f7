import { setTimeout as delay } from 'node:timers/promises';
import type { ErasureRecord } from '../../shared/domain/erasure/erasure-requests.ts';
import type { WorkerRecord } from '../../shared/domain/workers.ts';
import { AppError } from '../../shared/errors.ts';
import { busyOf, type DrainResult, readDrain } from '../commands/operations.ts';
import type { Options } from '../parse-command.ts';
import { readCount, readDuration, readTime } from '../read-options.ts';
import { cursorOf, type RemoteApi } from './remote-api.ts';

type Remote = (api: RemoteApi, options: Options) => Promise<object>;

const pollMs = 1_000;
const hourMs = 3_600_000;
const maxOverlapMs = 90 * 24 * hourMs;

const at = (options: Options, name: string): string => encodeURIComponent(options.get(name) ?? '');
const account = (options: Options, rest = ''): string => `/v1/admin/accounts/${at(options, 'account')}${rest}`;
const key = (options: Options, rest: string): string => `/v1/admin/keys/${at(options, 'key')}${rest}`;
const isSet = (options: Options, name: string): true | undefined => (options.has(name) ? true : undefined);
const number = (options: Options, name: string): number | undefined =>
  options.has(name) ? readCount(options, name) : undefined;
const expiry = (options: Options): string | undefined => readTime(options, 'expires')?.toISOString();
const list = (options: Options, name: string): readonly string[] | undefined =>
  options
    .get(name)
    ?.split(',')
    .map((each) => each.trim());
const target = (options: Options) => ({
  queue: options.get('queue'),
  account: options.get('account'),
  all: isSet(options, 'all'),
});

/** Reads a page, in the form that the command prints. */
const page =
  (name: string, path: (options: Options) => string, cursor: string, ...filters: readonly string[]): Remote =>
  async (api, options) => {
    const given = Object.fromEntries(['limit', ...filters].map((filter) => [filter, options.get(filter)]));
    const { entries, next } = await api.page(path(options), { ...given, cursor: cursorOf(options.get(cursor)) });
    return { [name]: entries, next };
  };

/** The commands that the admin API offers. The options of a command that changes something are valid already. */
export const remoteCommands: Readonly<Record<string, Remote>> = {
  'create-account': (api, options) => api.send('POST', '/v1/admin/accounts', { name: options.get('name') }),
  'list-accounts': page('accounts', () => '/v1/admin/accounts', 'after'),
  'show-account': (api, options) => api.get(account(options)),
  'suspend-account': (api, options) => api.send('POST', account(options, '/suspend')),
  'resume-account': (api, options) => api.send('POST', account(options, '/resume')),
  'set-approval': (api, options) =>
    api.send('PUT', account(options, '/approval'), { needsApproval: options.get('approval') === 'on' }),
  'create-key': (api, options) =>
    api.send('POST', account(options, '/keys'), {
      name: options.get('name'),
      kind: options.get('kind'),
      scopes: list(options, 'scopes'),
      expiresAt: expiry(options),
      ownerId: options.get('owner'),
    }),
  async 'list-keys'(api, options) {
    const keys: unknown[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const { entries, next } = await api.page(account(options, '/keys'), { limit: '1000', cursor });
      keys.push(...(entries as readonly unknown[]));
      cursor = next === null ? undefined : cursorOf(next);
    }
    return { keys };
  },
  'rotate-key': (api, options) =>
    api.send('POST', key(options, '/rotate'), {
      overlapHours: options.has('overlap') ? readDuration(options, 'overlap', maxOverlapMs) / hourMs : undefined,
      force: isSet(options, 'force'),
    }),
  'revoke-key': (api, options) => api.send('POST', key(options, '/revoke')),
  'set-budget': (api, options) =>
    api.send('PUT', key(options, '/budget'), { docsPerMonth: number(options, 'docs') ?? null }),
  'set-subscription': (api, options) =>
    api.send('PUT', account(options, '/subscription'), {
      docs: number(options, 'docs'),
      templates: number(options, 'templates'),
      anchorDay: number(options, 'anchor-day'),
    }),
  'grant-credits': (api, options) =>
    api.send('POST', account(options, '/credits'), {
      docs: number(options, 'docs'),
      templates: number(options, 'templates'),
      expiresAt: expiry(options),
    }),
  'set-email-limits': (api, options) =>
    api.send('PUT', account(options, '/email-limits'), {
      recipientsPerDay: number(options, 'recipients'),
      messagesPerRecipientPerDay: number(options, 'per-recipient'),
    }),
  'set-batch-weight': (api, options) =>
    api.send('PUT', account(options, '/batch-weight'), { weight: number(options, 'weight') }),
  pause: (api, options) =>
    api.send('POST', '/v1/admin/pause', { ...target(options), refuse: isSet(options, 'refuse') }),
  resume: (api, options) => api.send('POST', '/v1/admin/resume', target(options)),
  workers: (api) => api.get('/v1/admin/workers'),
  drain,
  queues: (api, options) => api.get('/v1/admin/queues', { account: options.get('account'), top: options.get('top') }),
  usage: (api, options) =>
    api.get(account(options, '/usage'), { from: options.get('from'), to: options.get('to'), by: options.get('by') }),
  'busiest-accounts': (api, options) =>
    api.get('/v1/admin/busiest-accounts', { minutes: options.get('minutes'), limit: options.get('limit') }),
  deliveries: page('deliveries', (options) => account(options, '/deliveries'), 'before', 'status'),
  retry,
  'list-quarantine': (api, options) => api.get('/v1/admin/quarantine', { account: options.get('account') }),
  'lift-quarantine': (api, options) =>
    api.send('POST', '/v1/admin/quarantine/lift', {
      fingerprint: options.get('fingerprint'),
      template: options.get('template'),
    }),
  'pin-template': (api, options) =>
    api.send('PUT', `/v1/admin/templates/${at(options, 'template')}/engine`, {
      engine: options.get('engine') ?? null,
      withoutWorker: isSet(options, 'without-worker'),
    }),
  'delete-account': async (api, options) =>
    await ended(api, await api.send('POST', account(options, '/erase'), { confirm: options.get('confirm') })),
  erase: async (api, options) =>
    await ended(
      api,
      await api.send('POST', '/v1/admin/erasures', {
        document: options.get('document'),
        recipient: options.get('recipient'),
        account: options.get('account'),
      }),
    ),
  audit: page('acts', () => '/v1/admin/audit', 'before', 'account', 'action', 'since'),
  'key-use': page('uses', (options) => account(options, '/key-use'), 'after', 'since'),
  reseal: (api, options) => api.send('POST', '/v1/admin/webhooks/reseal', { check: isSet(options, 'check') }),
  'create-operator-key': (api, options) =>
    api.send('POST', '/v1/admin/operator-keys', {
      name: options.get('name'),
      scopes: list(options, 'scopes'),
      addressRanges: list(options, 'ranges'),
      requestsPerMinute: number(options, 'requests-per-minute'),
      expiresAt: expiry(options),
    }),
  'list-operator-keys': page('keys', () => '/v1/admin/operator-keys', 'before'),
  'revoke-operator-key': (api, options) =>
    api.send('POST', `/v1/admin/operator-keys/${at(options, 'operator-key')}/revoke`),
};

/** Waits for an erasure, and returns what the command prints. */
async function ended(api: RemoteApi, started: object): Promise<object> {
  const { erasureId } = started as ErasureRecord;
  for (;;) {
    const erasure = (await api.get(`/v1/admin/erasures/${erasureId}`)) as ErasureRecord;
    if (erasure.state === 'failed') throw new AppError('conflict', `The erasure ${erasureId} failed: ${erasure.error}`);
    if (erasure.state === 'succeeded') return erasure.result ?? {};
    await delay(pollMs);
  }
}

async function drain(api: RemoteApi, options: Options): Promise<DrainResult> {
  const { timeoutSeconds } = readDrain(options);
  const body = { worker: options.get('worker'), all: isSet(options, 'all') };
  const { asked } = (await api.send('POST', '/v1/admin/workers/drain', body)) as { readonly asked: readonly string[] };
  const endMs = performance.now() + timeoutSeconds * 1_000;
  for (;;) {
    const { workers } = (await api.get('/v1/admin/workers')) as { readonly workers: readonly WorkerRecord[] };
    const rows = workers.filter(({ workerId }) => asked.includes(workerId));
    const live = rows.filter(({ isLive }) => isLive);
    if (live.length === 0 || performance.now() > endMs) {
      const lost = rows.filter(({ isLive }) => !isLive).map(({ workerId }) => workerId);
      const drained = asked.filter((id) => !rows.some(({ workerId }) => workerId === id));
      return { drained, lost, remaining: live.map(({ workerId, jobs }) => ({ workerId, jobs: busyOf(jobs) })) };
    }
    await delay(pollMs);
  }
}

/** A refusal is printed with its reason, as without the API. */
async function retry(api: RemoteApi, options: Options): Promise<object> {
  const given = ['document', 'batch', 'delivery'].find((name) => options.has(name)) ?? 'document';
  try {
    return await api.send('POST', '/v1/admin/retry', { [given]: options.get(given) });
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'conflict' && error.code !== 'quota_exceeded')) throw error;
    return { outcome: 'refused', [`${given}Id`]: options.get(given), reason: error.message };
  }
}

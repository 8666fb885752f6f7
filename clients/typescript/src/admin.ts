import type { components } from './generated-api.ts';
import { createHttp, type Http, jsonBody, path } from './http.ts';
import { type CallOptions, type Connection, pause } from './send-request.ts';

type Schemas = components['schemas'];

const pollMs = 2_000;

type PageQuery = { readonly limit?: number | undefined };

/** Accounts with their limits, usage and e-mails. */
function createAccounts(http: Http) {
  const at = (id: string, rest = '') => `${path`/v1/admin/accounts/${id}`}${rest}`;
  return {
    /** Creates an account without quota and keys. */
    create: (account: Schemas['AdminAccountRequest'], call?: CallOptions) =>
      http.json<Schemas['AdminCreatedAccount']>('POST', '/v1/admin/accounts', { ...call, body: jsonBody(account) }),
    /** All accounts in order of creation. */
    list: (query?: PageQuery, call?: CallOptions) =>
      http.pages<Schemas['AdminAccountSummary']>('/v1/admin/accounts', query, call),
    /** An account with its keys and quotas. */
    get: (id: string, call?: CallOptions) => http.json<Schemas['AdminAccount']>('GET', at(id), call),
    /** Refuses all requests of the account. */
    suspend: (id: string, call?: CallOptions) =>
      http.json<Schemas['AdminAccountState']>('POST', at(id, '/suspend'), call),
    /** Accepts the requests of the account again. */
    resume: (id: string, call?: CallOptions) =>
      http.json<Schemas['AdminAccountState']>('POST', at(id, '/resume'), call),
    /** Replaces the limits of e-mails. */
    setEmailLimits: (id: string, limits: Schemas['AdminEmailLimitsRequest'], call?: CallOptions) =>
      http.json<Schemas['AdminEmailLimits']>('PUT', at(id, '/email-limits'), { ...call, body: jsonBody(limits) }),
    /** Sets whether a new version of a template is a draft until another person approves it. */
    setApproval: (id: string, needsApproval: boolean, call?: CallOptions) =>
      http.json<Schemas['AdminApproval']>('PUT', at(id, '/approval'), { ...call, body: jsonBody({ needsApproval }) }),
    /** Sets the share of the batches of the account. */
    setBatchWeight: (id: string, weight: number, call?: CallOptions) =>
      http.json<Schemas['AdminBatchWeight']>('PUT', at(id, '/batch-weight'), { ...call, body: jsonBody({ weight }) }),
    /** Documents, pages and failures of a period. */
    usage: (id: string, query?: { from?: string; to?: string; by?: Schemas['AdminUsage']['by'] }, call?: CallOptions) =>
      http.json<Schemas['AdminUsage']>('GET', at(id, '/usage'), { ...call, query }),
    /** The e-mails of the account, newest first. */
    deliveries: (id: string, query?: PageQuery & { status?: Schemas['AdminDelivery']['status'] }, call?: CallOptions) =>
      http.pages<Schemas['AdminDelivery']>(at(id, '/deliveries'), query, call),
    /** The requests of its keys by day, key and scope. */
    keyUse: (id: string, query?: PageQuery & { since?: string }, call?: CallOptions) =>
      http.pages<Schemas['AdminKeyUse']>(at(id, '/key-use'), query, call),
    /** Sets the monthly quota. */
    setSubscription: (id: string, subscription: Schemas['AdminSubscriptionRequest'], call?: CallOptions) =>
      http.json<Schemas['AdminSubscription']>('PUT', at(id, '/subscription'), {
        ...call,
        body: jsonBody(subscription),
      }),
    /** Grants credits in addition to the monthly quota. */
    grantCredits: (id: string, credits: Schemas['AdminCreditsRequest'], call?: CallOptions) =>
      http.json<Schemas['AdminCredits']>('POST', at(id, '/credits'), { ...call, body: jsonBody(credits) }),
    /** Deletes the account for good. `confirm` is its name. Wait for the end with `erasures.wait`. */
    erase: (id: string, confirm: string, call?: CallOptions) =>
      http.json<Schemas['Erasure']>('POST', at(id, '/erase'), { ...call, body: jsonBody({ confirm }) }),
  };
}

/** The API keys of accounts. */
function createKeys(http: Http) {
  const at = (id: string, rest: string) => `${path`/v1/admin/keys/${id}`}${rest}`;
  const ofAccount = (id: string) => path`/v1/admin/accounts/${id}/keys`;
  return {
    /** Creates a key. Store `apiKey`: only this response has it. */
    create: (accountId: string, key: Schemas['AdminKeyRequest'], call?: CallOptions) =>
      http.json<Schemas['AdminCreatedKey']>('POST', ofAccount(accountId), { ...call, body: jsonBody(key) }),
    /** The keys of an account, oldest first. */
    list: (accountId: string, query?: PageQuery, call?: CallOptions) =>
      http.pages<Schemas['AdminKey']>(ofAccount(accountId), query, call),
    /** Gives a key a new secret. Store `apiKey`: only this response has it. */
    rotate: (id: string, rotation: Schemas['AdminKeyRotationRequest'] = {}, call?: CallOptions) =>
      http.json<Schemas['AdminRotatedKey']>('POST', at(id, '/rotate'), { ...call, body: jsonBody(rotation) }),
    /** Revokes a key. */
    revoke: (id: string, call?: CallOptions) => http.json<Schemas['AdminRevokedKey']>('POST', at(id, '/revoke'), call),
    /** Sets how many documents a key may request in a month; null for no budget. */
    setBudget: (id: string, docsPerMonth: number | null, call?: CallOptions) =>
      http.json<Schemas['AdminBudget']>('PUT', at(id, '/budget'), { ...call, body: jsonBody({ docsPerMonth }) }),
  };
}

/** Queues, workers, retries, quarantine, pins and secrets. */
function createOperations(http: Http) {
  return {
    /** Backlog, age, throughput and workers of each queue. */
    queues: (query?: { account?: string; top?: number }, call?: CallOptions) =>
      http.json<Schemas['AdminQueues']>('GET', '/v1/admin/queues', { ...call, query }),
    /** The accounts that occupied engines longest. */
    busiestAccounts: (query?: { minutes?: number; limit?: number }, call?: CallOptions) =>
      http.json<Schemas['AdminBusiestAccounts']>('GET', '/v1/admin/busiest-accounts', { ...call, query }),
    /** The queues and accounts that are paused. */
    pauses: (call?: CallOptions) => http.json<Schemas['AdminPauses']>('GET', '/v1/admin/pauses', call),
    /** Pauses a queue, an account or all queues. */
    pause: (target: Schemas['AdminPauseRequest'], call?: CallOptions) =>
      http.json<Schemas['AdminPauses']>('POST', '/v1/admin/pause', { ...call, body: jsonBody(target) }),
    /** Resumes a queue, an account or everything. */
    resume: (target: Schemas['AdminResumeRequest'], call?: CallOptions) =>
      http.json<Schemas['AdminPauses']>('POST', '/v1/admin/resume', { ...call, body: jsonBody(target) }),
    /** The worker processes. */
    workers: (call?: CallOptions) => http.json<Schemas['AdminWorkers']>('GET', '/v1/admin/workers', call),
    /** Asks one or all workers to finish their jobs and exit. */
    drain: (target: Schemas['AdminDrainRequest'], call?: CallOptions) =>
      http.json<Schemas['AdminDrain']>('POST', '/v1/admin/workers/drain', { ...call, body: jsonBody(target) }),
    /** Produces failed documents of a batch, or sends an e-mail, again. A refusal throws ConflictError. */
    retry: (target: Schemas['AdminRetryRequest'], call?: CallOptions) =>
      http.json<Schemas['AdminRetry']>('POST', '/v1/admin/retry', { ...call, body: jsonBody(target) }),
    /** Documents that crashed or hung LibreOffice, and suspended templates. */
    quarantine: (query?: { account?: string }, call?: CallOptions) =>
      http.json<Schemas['AdminQuarantine']>('GET', '/v1/admin/quarantine', { ...call, query }),
    /** Allows a quarantined document or a suspended template again. */
    liftQuarantine: (target: Schemas['AdminLiftRequest'], call?: CallOptions) =>
      http.json<Schemas['AdminLifted']>('POST', '/v1/admin/quarantine/lift', { ...call, body: jsonBody(target) }),
    /** Pins the PDFs of a template to a version of LibreOffice. */
    pinTemplate: (id: string, pin: Schemas['AdminEngineRequest'], call?: CallOptions) =>
      http.json<Schemas['AdminTemplatePin']>('PUT', path`/v1/admin/templates/${id}/engine`, {
        ...call,
        body: jsonBody(pin),
      }),
    /** Encrypts the secrets of all webhooks with the current key; with `check`, only reports. */
    resealWebhooks: (request: Schemas['AdminResealRequest'] = {}, call?: CallOptions) =>
      http.json<Schemas['AdminReseal']>('POST', '/v1/admin/webhooks/reseal', { ...call, body: jsonBody(request) }),
  };
}

/** Erasures, which are carried out after the request. */
function createErasures(http: Http) {
  const get = (id: string, call?: CallOptions) =>
    http.json<Schemas['Erasure']>('GET', path`/v1/admin/erasures/${id}`, call);
  return {
    /** Erases a document or an address for good. */
    create: (target: Schemas['AdminErasureRequest'], call?: CallOptions) =>
      http.json<Schemas['Erasure']>('POST', '/v1/admin/erasures', { ...call, body: jsonBody(target) }),
    /** All erasures, newest first. */
    list: (query?: PageQuery, call?: CallOptions) => http.pages<Schemas['Erasure']>('/v1/admin/erasures', query, call),
    /** The state of an erasure. */
    get,
    /** Polls until an erasure has ended: `succeeded` or `failed`. Limit the wait with `signal`. */
    async wait(id: string, call?: CallOptions): Promise<Schemas['Erasure']> {
      for (;;) {
        const erasure = await get(id, call);
        if (erasure.state === 'succeeded' || erasure.state === 'failed') return erasure;
        await pause(pollMs, call?.signal);
      }
    },
  };
}

/** Keys of operators. */
function createOperatorKeys(http: Http) {
  return {
    /** Creates an operator key. Store `operatorKey`: only this response has it. */
    create: (key: Schemas['OperatorKeyRequest'], call?: CallOptions) =>
      http.json<Schemas['CreatedOperatorKey']>('POST', '/v1/admin/operator-keys', { ...call, body: jsonBody(key) }),
    /** All operator keys, newest first. */
    list: (query?: PageQuery, call?: CallOptions) =>
      http.pages<Schemas['OperatorKey']>('/v1/admin/operator-keys', query, call),
    /** Revokes an operator key at once. */
    revoke: (id: string, call?: CallOptions) =>
      http.json<Schemas['RevokedOperatorKey']>('POST', path`/v1/admin/operator-keys/${id}/revoke`, call),
  };
}

/** The resources of the admin API on a connection. */
export function createAdmin(connection: Connection) {
  const http = createHttp(connection);
  return {
    accounts: createAccounts(http),
    keys: createKeys(http),
    operations: createOperations(http),
    erasures: createErasures(http),
    operatorKeys: createOperatorKeys(http),
    /** What operators changed, newest first. */
    audit: {
      list: (query?: PageQuery & { account?: string; action?: string; since?: string }, call?: CallOptions) =>
        http.pages<Schemas['AuditEntry']>('/v1/admin/audit', query, call),
    },
  };
}

import { exampleId } from '../../routes/common-schemas.ts';
import { accountExamples } from './account.ts';
import { createdAt, type Examples, finishedAt } from './common.ts';

const accountId = exampleId('acc');
const keyId = exampleId('key');
const name = 'Smith & Sons';
const expiresAt = '2099-12-31T00:00:00Z';

const key = {
  keyId,
  name: 'Web shop',
  scopes: ['generate'],
  isTest: false,
  expiresAt: null,
  ownerId: null,
};
const listedKey = {
  ...key,
  createdAt,
  revokedAt: null,
  previousSecretUntil: null,
  docsPerMonth: 500,
  provider: null,
  email: null,
  roles: null,
};
const operatorKey = {
  operatorKeyId: exampleId('opk'),
  name: 'Billing system',
  scopes: ['accounts:read', 'billing:write'],
  addressRanges: ['203.0.113.0/24'],
  requestsPerMinute: 120,
  expiresAt: null,
};
const usage = { documents: 12, pages: 24, bytes: 578_556, failures: 1, cancelled: 0 };
const backlog = { waiting: 3, delayed: 0, inProgress: 2, oldestSeconds: 0.4 };
const pause = { target: 'queue:pdf', isRefusing: false, createdAt };
const erasure = {
  erasureId: exampleId('ers'),
  kind: 'account',
  target: accountId,
  withinAccount: null,
  state: 'waiting',
  result: null,
  error: null,
  createdAt,
  finishedAt: null,
};
const failing = {
  accountId,
  templateId: exampleId('tpl'),
  templateVersion: 3,
  failures: 2,
  reason: 'crashed',
  documentId: exampleId('doc'),
  updatedAt: finishedAt,
};

export const adminExamples: Examples = {
  AdminCreatedAccount: { accountId, name },
  AdminAccountSummary: {
    accountId,
    name,
    createdAt,
    suspendedAt: null,
    deletingSince: null,
    templates: 4,
    keys: 1,
    subscription: { docs: 1_000, used: 12 },
    credits: { docs: 500, used: 0 },
  },
  AdminAccount: {
    accountId,
    name,
    createdAt,
    suspendedAt: null,
    deletingSince: null,
    needsApproval: false,
    emailLimits: { recipientsPerDay: 500, messagesPerRecipientPerDay: null },
    subscription: { docs: 1_000, templates: 50, anchorDay: 1 },
    keys: [listedKey],
    quotas: accountExamples.Quotas,
  },
  AdminAccountState: { accountId, suspendedAt: null },
  AdminEmailLimits: { accountId, recipientsPerDay: 500, messagesPerRecipientPerDay: null },
  AdminBatchWeight: { accountId, weight: 3 },
  AdminApproval: { accountId, needsApproval: true },
  AdminUsage: {
    accountId,
    from: '2026-11-01',
    to: '2026-11-30',
    by: 'day',
    totals: usage,
    groups: [{ name: '2026-11-20', ...usage }],
    hasMore: false,
  },
  AdminDelivery: {
    deliveryId: exampleId('dlv'),
    documentId: exampleId('doc'),
    status: 'sent',
    recipients: [{ address: 'ada@example.com', status: 'accepted' }],
    attempts: 1,
    lastReply: '250 OK',
    createdAt,
    nextAttemptAt: null,
    finishedAt,
  },
  AdminKey: listedKey,
  AdminCreatedKey: { ...key, accountId, apiKey: 'dts_4kq7w2zp8m3n5r9t_0123456789abcdefghjkmnpqrstvwxyz01234567' },
  AdminRotatedKey: {
    keyId,
    previousSecretUntil: expiresAt,
    apiKey: 'dts_7zp8m3n5r9t4kq2w_0123456789abcdefghjkmnpqrstvwxyz01234567',
  },
  AdminRevokedKey: { keyId, revokedAt: finishedAt },
  AdminSubscription: { accountId, docs: 1_000, templates: 50, anchorDay: 1 },
  AdminCredits: { creditsId: exampleId('crd'), accountId, docs: 500, templates: 0 },
  AdminBudget: { keyId, docsPerMonth: 500 },
  AdminPauses: { paused: [pause] },
  AdminWorkers: {
    workers: [
      {
        workerId: exampleId('wrk'),
        host: 'worker-1',
        pid: 7,
        release: '1.0.0',
        queues: ['docx', 'pdf'],
        jobs: { pdf: 2 },
        recent: { pdf: { ended: 40, failed: 0 } },
        startedAt: createdAt,
        isDraining: false,
        isLive: true,
      },
    ],
  },
  AdminDrain: { asked: [exampleId('wrk')] },
  AdminQueues: {
    isComplete: true,
    redis: 'read',
    queues: [
      {
        queue: 'pdf',
        ...backlog,
        inPerMinute: 20,
        outPerMinute: 20,
        failedPerMinute: 0,
        isPaused: false,
        workers: 2,
        jobs: { waiting: 3, active: 2, delayed: 0 },
        missingJobs: 0,
      },
    ],
    accounts: [{ accountId, suspendedAt: null, ...backlog, queues: { pdf: 3 }, isPaused: false }],
  },
  AdminBusiestAccounts: {
    since: createdAt,
    accounts: [{ accountId, documents: 12, failed: 1, engineSeconds: 3.2 }],
  },
  AdminRetry: { outcome: 'queued', batchId: exampleId('bat'), documents: 2 },
  AdminQuarantine: {
    documents: [{ ...failing, fingerprint: '9f86d081884c7d65', isQuarantined: true, evidenceKey: null }],
    templates: [{ ...failing, suspendedUntil: null, suspensions: 0 }],
  },
  AdminLifted: { template: exampleId('tpl') },
  AdminTemplatePin: { templateId: exampleId('tpl'), engine: '25.2' },
  AdminReseal: { webhooks: 12, resealed: 0, pending: 3, unreadable: 0, unreadableIds: [] },
  Erasure: erasure,
  AuditEntry: {
    id: exampleId('aud'),
    at: createdAt,
    actor: operatorKey.operatorKeyId,
    osUser: 'api',
    host: '203.0.113.7',
    action: 'create-key',
    accountId,
    target: keyId,
    options: { kind: 'live' },
    outcome: 'succeeded',
    counts: null,
    error: null,
    startId: null,
  },
  AdminKeyUse: {
    keyId,
    day: '2026-11-20',
    scope: 'generate',
    accountId,
    requests: 12,
    firstAt: createdAt,
    lastAt: finishedAt,
  },
  OperatorKey: { ...operatorKey, createdAt, lastUsedAt: finishedAt, revokedAt: null },
  CreatedOperatorKey: {
    ...operatorKey,
    operatorKey: 'dop_4kq7w2zp8m3n5r9t_0123456789abcdefghjkmnpqrstvwxyz01234567',
  },
  RevokedOperatorKey: { operatorKeyId: operatorKey.operatorKeyId, revokedAt: finishedAt },
};

export const adminRequestExamples: Examples = {
  AdminAccountRequest: { name },
  AdminEmailLimitsRequest: { recipientsPerDay: 500 },
  AdminBatchWeightRequest: { weight: 3 },
  AdminApprovalRequest: { needsApproval: true },
  AdminSubscriptionRequest: { docs: 1_000, templates: 50 },
  AdminCreditsRequest: { docs: 500, templates: 0 },
  AdminBudgetRequest: { docsPerMonth: 500 },
  AdminKeyRequest: { name: key.name, scopes: key.scopes },
  AdminKeyRotationRequest: { overlapHours: 24 },
  AdminPauseRequest: { queue: 'pdf' },
  AdminResumeRequest: { queue: 'pdf' },
  AdminDrainRequest: { worker: exampleId('wrk') },
  AdminRetryRequest: { batch: exampleId('bat') },
  AdminLiftRequest: { template: exampleId('tpl') },
  AdminEngineRequest: { engine: '25.2', withoutWorker: true },
  AdminResealRequest: { check: true },
  AdminAccountErasureRequest: { confirm: name },
  AdminErasureRequest: { document: exampleId('doc') },
  OperatorKeyRequest: {
    name: operatorKey.name,
    scopes: operatorKey.scopes,
    addressRanges: operatorKey.addressRanges,
    requestsPerMinute: operatorKey.requestsPerMinute,
    expiresAt,
  },
};

import { z } from '@hono/zod-openapi';
import { queueNames } from '../../../shared/config/worker-variables.ts';
import { findAccount } from '../../../shared/domain/accounts/find-account.ts';
import { recordAct } from '../../../shared/domain/audit/record-act.ts';
import { recordingFailure } from '../../../shared/domain/audit/recording-failure.ts';
import { clearConversionFailures, listConversionFailures } from '../../../shared/domain/conversion-failures.ts';
import { listPauses, type PauseTarget, pause, resume } from '../../../shared/domain/pauses.ts';
import { liftSuspension, listTemplateFailures } from '../../../shared/domain/template-failures.ts';
import { busiestAccounts } from '../../../shared/domain/usage/busiest-accounts.ts';
import { resealSecrets } from '../../../shared/domain/webhooks/reseal-secrets.ts';
import { listWorkers, requestDrain } from '../../../shared/domain/workers.ts';
import { engineVersion } from '../../../shared/engine-version.ts';
import { AppError } from '../../../shared/errors.ts';
import { pinToEngine } from '../../../shared/pin-to-engine.ts';
import type { AdminOperation } from '../../admin/admin-operation.ts';
import { performAct, readInput, toAct } from '../../admin/perform-act.ts';
import { retryBatch, retryDelivery, retryDocument } from '../../batches/retry-work.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import { wholeNumber } from '../../http/whole-number.ts';
import { readQueues } from '../../queues/read-queues.ts';
import { idParam } from '../common-schemas.ts';
import { accountId, actRoute, flag, idField, known, number, ok, readRoute, text, time } from './admin-resource.ts';

const tags: [string] = ['Operations'];

/** Sweeps cannot be paused: they recover from crashes even while everything else is paused. */
const pausable = queueNames.filter((name) => name !== 'maintenance');

const target = {
  queue: z.enum(pausable).nullish().openapi({ description: 'A queue.', example: 'pdf' }),
  account: idField('acc', 'An account.').nullish(),
  all: z.literal(true).nullish().openapi({ description: 'All queues.' }),
};
const hasOneTarget = (input: { queue?: unknown; account?: unknown; all?: unknown }): boolean =>
  [input.queue, input.account, input.all].filter((each) => each !== null && each !== undefined).length === 1;
const oneTarget = { path: ['queue'], message: 'give either queue, account or all' };

const pauseRequest = z
  .object({
    ...target,
    refuse: z.boolean().nullish().openapi({ description: 'The API refuses new requests, too.', example: true }),
  })
  .strict()
  .refine(hasOneTarget, oneTarget)
  .openapi('AdminPauseRequest');
const resumeRequest = z.object(target).strict().refine(hasOneTarget, oneTarget).openapi('AdminResumeRequest');
const pauseSchema = z
  .object({
    target: text('`queue:` and its name, or `account:` and its id.'),
    isRefusing: flag('Whether the API refuses new requests.'),
    createdAt: time('Since when.'),
  })
  .openapi('AdminPause');
const pausesSchema = z
  .object({
    resumed: z.array(z.string()).optional().openapi({ description: 'The pauses that this request ended.' }),
    paused: z.array(pauseSchema).openapi({ description: 'All pauses.' }),
  })
  .openapi('AdminPauses');

type Target = z.infer<typeof resumeRequest>;

function targetsOf({ queue, account }: Target): readonly PauseTarget[] {
  if (typeof account === 'string') return [`account:${account}`];
  return (typeof queue === 'string' ? [queue] : pausable).map((name) => `queue:${name}` as const);
}

const named = ({ queue, account, all }: Target) => ({
  accountId: account ?? undefined,
  target: account ?? queue ?? undefined,
  options: { queue, account, all },
});

const pauseOperation: AdminOperation = {
  scope: 'operations:write',
  route: actRoute(
    'post',
    '/v1/admin/pause',
    {
      operationId: 'adminPause',
      summary: 'Pause',
      description: 'Workers stop taking jobs of a queue, of all queues, or documents of an account.',
      tags,
    },
    { body: pauseRequest, responses: ok('All pauses.', pausesSchema) },
  ),
  async handle(c, deps) {
    const input = await readInput(c, deps, pauseRequest);
    const { options, ...of } = named(input);
    const act = { action: 'pause', ...of, options: { ...options, refuse: input.refuse }, request: input };
    return c.json(await performAct(c, deps, act, (tx) => pause(tx, targetsOf(input), input.refuse === true)));
  },
};

const resumeOperation: AdminOperation = {
  scope: 'operations:write',
  route: actRoute(
    'post',
    '/v1/admin/resume',
    {
      operationId: 'adminResume',
      summary: 'Resume',
      description: 'Workers take jobs again; `all` also resumes every account.',
      tags,
    },
    { body: resumeRequest, responses: ok('The remaining pauses.', pausesSchema) },
  ),
  async handle(c, deps) {
    const input = await readInput(c, deps, resumeRequest);
    const act = { action: 'resume', ...named(input), request: input };
    const targets = input.all === true ? 'all' : targetsOf(input);
    return c.json(await performAct(c, deps, act, (tx) => resume(tx, targets)));
  },
};

const pausesOperation: AdminOperation = {
  scope: 'operations:read',
  route: readRoute(
    '/v1/admin/pauses',
    {
      operationId: 'adminListPauses',
      summary: 'List pauses',
      description: 'The queues and accounts that are paused, at most 1,000.',
      tags,
    },
    { responses: ok('All pauses.', pausesSchema) },
  ),
  handle: async (c, { db }) => c.json({ paused: await listPauses(db) }),
};

const jobs = z.record(z.string(), z.number()).openapi({ description: 'Jobs that it processes, by queue.' });
const workerSchema = z
  .object({
    workerId: text('Id of the worker.'),
    host: text('Its host.'),
    pid: number('Its process.'),
    release: text('Its release.'),
    queues: z.array(z.string()).openapi({ description: 'The queues that it serves.' }),
    jobs,
    recent: z
      .record(z.string(), z.object({ ended: z.number(), failed: z.number() }))
      .openapi({ description: 'Jobs that ended within two minutes, by queue.' }),
    startedAt: time('When it started.'),
    isDraining: flag('Whether it was asked to finish its jobs and exit.'),
    isLive: flag('Whether it reported within 15 seconds.'),
  })
  .openapi('AdminWorker');
const workersSchema = z
  .object({ workers: z.array(workerSchema).openapi({ description: 'All workers.' }) })
  .openapi('AdminWorkers');

const workersOperation: AdminOperation = {
  scope: 'operations:read',
  route: readRoute(
    '/v1/admin/workers',
    {
      operationId: 'adminListWorkers',
      summary: 'List workers',
      description: 'The worker processes, their queues and jobs. A worker that was drained disappears.',
      tags,
    },
    { responses: ok('Workers.', workersSchema) },
  ),
  handle: async (c, { db }) => c.json({ workers: await listWorkers(db) }),
};

const drainRequest = z
  .object({
    worker: idField('wrk', 'One worker.').nullish(),
    all: z.literal(true).nullish().openapi({ description: 'All workers.' }),
  })
  .strict()
  .refine(({ worker, all }) => (typeof worker === 'string') !== (all === true), {
    path: ['worker'],
    message: 'give either worker or all',
  })
  .openapi('AdminDrainRequest');
const drainSchema = z
  .object({ asked: z.array(z.string()).openapi({ description: 'Workers that finish their jobs and exit.' }) })
  .openapi('AdminDrain');

const drainOperation: AdminOperation = {
  scope: 'operations:write',
  route: actRoute(
    'post',
    '/v1/admin/workers/drain',
    {
      operationId: 'adminDrainWorkers',
      summary: 'Drain workers',
      description: 'Asks one or all workers to finish their jobs and exit. The list of workers shows which remain.',
      tags,
    },
    { body: drainRequest, responses: ok('Those that were asked.', drainSchema, 202) },
  ),
  async handle(c, deps) {
    const { worker, all } = await readInput(c, deps, drainRequest);
    const act = { action: 'drain', target: worker ?? undefined, options: { worker, all }, request: [worker, all] };
    const drained = await performAct(c, deps, act, async (tx) => {
      const asked = await requestDrain(tx, worker ?? undefined);
      if (typeof worker === 'string' && asked.length === 0)
        throw new AppError('not_found', `No live worker has the id ${worker}`);
      return { asked };
    });
    return c.json(drained, 202);
  },
};

const queueQuery = z.object({
  account: idField('acc', 'Only the backlog of this account.').optional(),
  top: wholeNumber(1, 1_000)
    .optional()
    .openapi({ description: 'How many accounts with the largest backlogs. Default: 10.', example: 10 }),
});
const backlog = {
  waiting: number('Jobs that wait.'),
  delayed: number('Jobs that wait for their next attempt.'),
  inProgress: number('Jobs in progress.'),
  oldestSeconds: number('How long the oldest has waited.'),
};
const queuesSchema = z
  .object({
    isComplete: flag('False if more wait than were counted.'),
    redis: text('`read`, or why Redis was not read.'),
    queues: z
      .array(
        z.object({
          queue: text('The queue.'),
          ...backlog,
          inPerMinute: number('Arrivals; null without Redis.').nullable(),
          outPerMinute: number('Jobs that ended.'),
          failedPerMinute: number('Those that failed.'),
          isPaused: flag('Whether it is paused.'),
          workers: number('Live workers that serve it.'),
          jobs: z
            .object({ waiting: z.number(), active: z.number(), delayed: z.number() })
            .nullable()
            .openapi({ description: 'Jobs in Redis; null without Redis.' }),
          missingJobs: number('Documents or e-mails without a job.').nullable(),
        }),
      )
      .openapi({ description: 'The queues.' }),
    accounts: z
      .array(
        z.object({
          accountId,
          suspendedAt: time('Since when it is suspended.').nullable(),
          ...backlog,
          queues: z.record(z.string(), z.number()).openapi({ description: 'Waiting jobs, by queue.' }),
          isPaused: flag('Whether it is paused.'),
        }),
      )
      .openapi({ description: 'The accounts with the largest backlogs.' }),
  })
  .openapi('AdminQueues');

const queuesOperation: AdminOperation = {
  scope: 'operations:read',
  route: readRoute(
    '/v1/admin/queues',
    {
      operationId: 'adminGetQueues',
      summary: 'Get queues',
      description: 'Backlog, age, throughput and workers of each queue, and the accounts with the largest backlogs.',
      tags,
    },
    { query: queueQuery, responses: ok('The queues.', queuesSchema) },
  ),
  async handle(c, { db, queues }) {
    const { account, top = 10 } = parseQuery(queueQuery, c);
    return c.json(await readQueues(db, queues, { accountId: account, top }));
  },
};

const busiestQuery = z.object({
  minutes: wholeNumber(1, 7 * 24 * 60)
    .optional()
    .openapi({ description: 'The last minutes. Default: 60.', example: 60 }),
  limit: wholeNumber(1, 1_000).optional().openapi({ description: 'How many accounts. Default: 20.', example: 20 }),
});
const busiestSchema = z
  .object({
    since: time('The start of the period.'),
    accounts: z
      .array(
        z.object({
          accountId,
          documents: number('Documents accepted in the period.'),
          failed: number('Those that failed.'),
          engineSeconds: number('Seconds that engines worked on them.'),
        }),
      )
      .openapi({ description: 'The busiest first.' }),
  })
  .openapi('AdminBusiestAccounts');

const busiestOperation: AdminOperation = {
  scope: 'operations:read',
  route: readRoute(
    '/v1/admin/busiest-accounts',
    {
      operationId: 'adminGetBusiestAccounts',
      summary: 'Get busiest accounts',
      description: 'The accounts that occupied render processes and LibreOffice longest.',
      tags,
    },
    { query: busiestQuery, responses: ok('The accounts.', busiestSchema) },
  ),
  async handle(c, { db }) {
    const { minutes = 60, limit = 20 } = parseQuery(busiestQuery, c);
    const since = new Date(Date.now() - minutes * 60_000);
    return c.json({ since, accounts: await busiestAccounts(db, since, limit) });
  },
};

const retryRequest = z
  .object({
    document: idField('doc', 'A failed document of a batch.').nullish(),
    batch: idField('bat', 'All failed documents of a batch.').nullish(),
    delivery: idField('dlv', 'An e-mail.').nullish(),
  })
  .strict()
  .refine(({ document, batch, delivery }) => [document, batch, delivery].filter(isGiven).length === 1, {
    path: ['document'],
    message: 'give either document, batch or delivery',
  })
  .openapi('AdminRetryRequest');
const retrySchema = z
  .object({
    outcome: z.literal('queued').openapi({ description: 'It was queued again.' }),
    documents: number('How many documents were queued.').optional(),
    documentId: text('The document.').optional(),
    batchId: text('The batch.').optional(),
    deliveryId: text('The e-mail.').optional(),
  })
  .openapi('AdminRetry');

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

const retryOperation: AdminOperation = {
  scope: 'operations:write',
  route: actRoute(
    'post',
    '/v1/admin/retry',
    {
      operationId: 'adminRetry',
      summary: 'Retry',
      description:
        'Produces a failed document of a batch or all of them again, or sends an e-mail again. A refusal is 409 with its reason.',
      tags,
    },
    { body: retryRequest, responses: ok('What was queued.', retrySchema) },
  ),
  async handle(c, deps) {
    const { document, batch, delivery } = await readInput(c, deps, retryRequest);
    const options = { document, batch, delivery };
    const of = { target: document ?? batch ?? delivery ?? undefined, options };
    const queued = await performAct(c, deps, { action: 'retry', ...of, request: options }, async (tx) => {
      const withObjects = <Result>(work: (objects: typeof deps.objects) => Promise<Result>) => work(deps.objects);
      const stores = { db: tx, withObjects };
      const retry =
        typeof delivery === 'string'
          ? await retryDelivery(stores, delivery)
          : typeof batch === 'string'
            ? await retryBatch(stores, batch)
            : await retryDocument(stores, document ?? '');
      // Thrown inside the transaction, so that a refused retry leaves nothing behind.
      if (retry.outcome === 'refused') throw new AppError('conflict', retry.reason);
      return retry;
    });
    return c.json(queued);
  },
};

const quarantineQuery = z.object({ account: idField('acc', 'Only of this account.').optional() });
const failing = {
  accountId,
  templateId: text('Id of the template.'),
  templateVersion: number('Its version.'),
  failures: number('How often it failed.'),
  reason: text('Why.'),
  documentId: text('The latest document.'),
  updatedAt: time('The latest failure.'),
};
const quarantineSchema = z
  .object({
    documents: z
      .array(
        z.object({
          ...failing,
          fingerprint: text('Identifies the template, its version and the data.'),
          isQuarantined: flag('Whether it is not produced again.'),
          evidenceKey: text('The object with the filled .docx.').nullable(),
        }),
      )
      .openapi({ description: 'Documents that crashed or hung LibreOffice.' }),
    templates: z
      .array(
        z.object({
          ...failing,
          suspendedUntil: time('Until when its documents are refused; null if they are not.').nullable(),
          suspensions: number('How often it was suspended.'),
        }),
      )
      .openapi({ description: 'Templates with such failures.' }),
  })
  .openapi('AdminQuarantine');

const quarantineOperation: AdminOperation = {
  scope: 'operations:read',
  route: readRoute(
    '/v1/admin/quarantine',
    {
      operationId: 'adminGetQuarantine',
      summary: 'Get quarantine',
      description: 'Documents that crashed or hung LibreOffice, and templates suspended for it; at most 1,000 each.',
      tags,
    },
    { query: quarantineQuery, responses: ok('The quarantine.', quarantineSchema) },
  ),
  async handle(c, { db }) {
    const { account } = parseQuery(quarantineQuery, c);
    if (account !== undefined) await findAccount(db, account);
    return c.json({
      documents: await listConversionFailures(db, account),
      templates: await listTemplateFailures(db, account),
    });
  },
};

const liftRequest = z
  .object({
    fingerprint: z
      .string()
      .regex(/^[0-9a-f-]{1,64}$/, 'must be hexadecimal digits, as the quarantine shows them')
      .nullish()
      .openapi({ description: 'A document.', example: '9f86d081884c7d65' }),
    template: idField('tpl', 'A template.').nullish(),
  })
  .strict()
  .refine(({ fingerprint, template }) => isGiven(fingerprint) !== isGiven(template), {
    path: ['fingerprint'],
    message: 'give either fingerprint or template',
  })
  .openapi('AdminLiftRequest');
const liftedSchema = z
  .object({
    fingerprint: text('The document.').optional(),
    template: text('The template.').optional(),
  })
  .openapi('AdminLifted');

const liftOperation: AdminOperation = {
  scope: 'operations:write',
  route: actRoute(
    'post',
    '/v1/admin/quarantine/lift',
    {
      operationId: 'adminLiftQuarantine',
      summary: 'Lift quarantine',
      description: 'Allows a quarantined document, or the documents of a suspended template, to be produced again.',
      tags,
    },
    { body: liftRequest, responses: ok('What was lifted.', liftedSchema) },
  ),
  async handle(c, deps) {
    const { fingerprint, template } = await readInput(c, deps, liftRequest);
    const options = { fingerprint, template };
    const of = { target: fingerprint ?? template ?? undefined, options };
    const lifted = await performAct<object>(c, deps, { action: 'lift-quarantine', ...of, request: options }, (tx) =>
      typeof fingerprint === 'string' ? clearConversionFailures(tx, fingerprint) : liftSuspension(tx, template ?? ''),
    );
    return c.json(lifted);
  },
};

const engineRequest = z
  .object({
    engine: z
      .string()
      .regex(engineVersion, 'must be a version of two numbers, like 25.2')
      .nullable()
      .openapi({ description: 'A version of LibreOffice; null removes the pin.', example: '25.2' }),
    withoutWorker: z
      .boolean()
      .nullish()
      .openapi({ description: 'Pins although no worker has the version.', example: false }),
  })
  .strict()
  .openapi('AdminEngineRequest');
const pinSchema = z
  .object({
    templateId: text('Id of the template.'),
    engine: text('The version of LibreOffice; null for any.').nullable(),
  })
  .openapi('AdminTemplatePin');

const pinOperation: AdminOperation = {
  scope: 'operations:write',
  route: actRoute(
    'put',
    '/v1/admin/templates/{id}/engine',
    {
      operationId: 'adminPinTemplate',
      summary: 'Pin template',
      description: 'Pins the PDFs of a template to one version of LibreOffice, or removes the pin.',
      tags,
    },
    {
      params: z.object({ id: idParam('tpl', 'Id of the template.') }),
      body: engineRequest,
      responses: ok('The pin.', pinSchema),
    },
  ),
  async handle(c, deps) {
    const templateId = known(pathId(c), 'template');
    const { engine, withoutWorker } = await readInput(c, deps, engineRequest);
    const options = { engine, 'without-worker': withoutWorker };
    const act = { action: 'pin-template', target: templateId, options, request: options };
    const pin = { templateId, engine, mayWait: withoutWorker === true };
    return c.json(await performAct(c, deps, act, (tx) => pinToEngine(tx, pin)));
  },
};

const resealRequest = z
  .object({ check: z.boolean().nullish().openapi({ description: 'Only reports; changes nothing.', example: true }) })
  .strict()
  .openapi('AdminResealRequest');
const resealSchema = z
  .object({
    webhooks: number('Webhooks that were read.'),
    resealed: number('Those whose secrets were encrypted anew.'),
    pending: number('Those still to be encrypted.'),
    unreadable: number('Those with a secret that no key opens.'),
    unreadableIds: z.array(z.string()).openapi({ description: 'The first 20 of them.' }),
  })
  .openapi('AdminReseal');
/** Below the usual timeouts of proxies. */
const resealMs = 20_000;

const resealOperation: AdminOperation = {
  scope: 'operations:write',
  route: actRoute(
    'post',
    '/v1/admin/webhooks/reseal',
    {
      operationId: 'adminResealWebhooks',
      summary: 'Encrypt webhook secrets',
      description:
        'Encrypts the secrets of all webhooks with the first key of `WEBHOOK_SECRET_KEY`. It stops with 503 after 20 seconds; a repeated request continues. An `Idempotency-Key` is not needed and has no effect.',
      tags,
    },
    { body: resealRequest, responses: ok('What was encrypted.', resealSchema) },
  ),
  async handle(c, deps) {
    const isDryRun = (await readInput(c, deps, resealRequest)).check === true;
    if (deps.config.WEBHOOK_SECRET_KEY.length === 0)
      throw new AppError('conflict', 'WEBHOOK_SECRET_KEY is not set, so secrets cannot be encrypted. Set it first.');
    const act = toAct(c, { action: 'reseal', options: { check: isDryRun } });
    const startId = await recordAct(deps.db, { ...act, outcome: 'started' });
    const report = await recordingFailure(deps.db, { ...act, startId }, () =>
      resealSecrets(deps.db, deps.secrets, { isDryRun, untilMs: performance.now() + resealMs }),
    );
    const { webhooks, resealed, pending, unreadable } = report;
    const counts = { webhooks, resealed, pending, unreadable };
    await recordAct(deps.db, { ...act, outcome: 'succeeded', counts, startId });
    return c.json(report);
  },
};

export const operationOperations: readonly AdminOperation[] = [
  queuesOperation,
  busiestOperation,
  pausesOperation,
  pauseOperation,
  resumeOperation,
  workersOperation,
  drainOperation,
  retryOperation,
  quarantineOperation,
  liftOperation,
  pinOperation,
  resealOperation,
];

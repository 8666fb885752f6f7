import { z } from '@hono/zod-openapi';
import { listWorkers, requestDrain } from '../../../shared/domain/workers.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AdminOperation } from '../../admin/admin-operation.ts';
import { performAct, readInput } from '../../admin/perform-act.ts';
import { actRoute, flag, idField, number, ok, readRoute, text, time } from './admin-resource.ts';

const tags: [string] = ['Operations'];

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

export const workerOperations: readonly AdminOperation[] = [workersOperation, drainOperation];

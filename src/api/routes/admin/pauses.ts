import { z } from '@hono/zod-openapi';
import { queueNames } from '../../../shared/config/worker-variables.ts';
import { listPauses, type PauseTarget, pause, resume } from '../../../shared/domain/pauses.ts';
import type { AdminOperation } from '../../admin/admin-operation.ts';
import { performAct, readInput } from '../../admin/perform-act.ts';
import { actRoute, flag, idField, ok, readRoute, text, time } from './admin-resource.ts';

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

export const pauseOperations: readonly AdminOperation[] = [pausesOperation, pauseOperation, resumeOperation];

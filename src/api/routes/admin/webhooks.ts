import { z } from '@hono/zod-openapi';
import { recordAct } from '../../../shared/domain/audit/record-act.ts';
import { recordingFailure } from '../../../shared/domain/audit/recording-failure.ts';
import { resealSecrets } from '../../../shared/domain/webhooks/reseal-secrets.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AdminOperation } from '../../admin/admin-operation.ts';
import { readInput, toAct } from '../../admin/perform-act.ts';
import { actRoute, number, ok } from './admin-resource.ts';

const tags: [string] = ['Operations'];

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

export const webhookOperations: readonly AdminOperation[] = [resealOperation];

import { z } from '@hono/zod-openapi';
import { findAccount } from '../../../shared/domain/accounts/find-account.ts';
import { clearConversionFailures, listConversionFailures } from '../../../shared/domain/conversion-failures.ts';
import { liftSuspension, listTemplateFailures } from '../../../shared/domain/template-failures.ts';
import { engineVersion } from '../../../shared/engine-version.ts';
import { AppError } from '../../../shared/errors.ts';
import { pinToEngine } from '../../../shared/pin-to-engine.ts';
import type { AdminOperation } from '../../admin/admin-operation.ts';
import { performAct, readInput } from '../../admin/perform-act.ts';
import { retryBatch, retryDelivery, retryDocument } from '../../batches/retry-work.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import { idParam } from '../common-schemas.ts';
import { accountId, actRoute, flag, idField, known, number, ok, readRoute, text, time } from './admin-resource.ts';

const tags: [string] = ['Operations'];

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

export const failureOperations: readonly AdminOperation[] = [
  retryOperation,
  quarantineOperation,
  liftOperation,
  pinOperation,
];

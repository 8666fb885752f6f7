import { hash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { createDelivery } from '../../../shared/domain/deliveries/create-delivery.ts';
import { findDelivery } from '../../../shared/domain/deliveries/find-delivery.ts';
import { newId } from '../../../shared/ids.ts';
import { parseRecipients } from '../../../shared/mail-address.ts';
import { checkRecipients, recipientFields } from '../../documents/generate-request.ts';
import { emailLimitsOf } from '../../http/email-limits.ts';
import { invalidField, parseRequest } from '../../http/parse-request.ts';
import { readJson } from '../../http/read-json.ts';
import { requireLiveKey } from '../../http/require-scope.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import type { Operation } from '../../operation.ts';
import { exampleId, header, idempotencyHeader, problemResponses } from '../common-schemas.ts';
import { deliverySchema, toDeliveryResource } from './delivery-resource.ts';

const body = z
  .strictObject({
    documentId: z
      .string('must be the id of a document')
      .regex(/^doc_[0-9a-z]{26}$/, 'must be the id of a document')
      .openapi({ description: 'The document, as a job.', example: exampleId('doc') }),
    ...recipientFields,
  })
  .superRefine(checkRecipients)
  .openapi('DeliveryRequest', { description: 'A document whose e-mail is sent again, and to whom.' });

export const createDeliveryOperation: Operation = {
  scope: 'generate',
  route: {
    method: 'post',
    path: '/v1/deliveries',
    operationId: 'createDelivery',
    summary: 'Send the e-mail of a document again',
    description:
      'Sends the stored file of a document, whose request had `output.email`, to these recipients: a new delivery with its own Message-ID, and with the subject and text of that request. Nothing is produced or charged. The recipients count for the limits of e-mail. Refused for a test key, and for the documents of one. To try an ended delivery again for the recipients that it did not reach, use resend.',
    tags: ['Deliveries'],
    request: {
      headers: idempotencyHeader,
      body: { required: true, content: { 'application/json': { schema: body } } },
    },
    responses: {
      202: {
        description: 'The new delivery.',
        headers: { Location: header('Address of the delivery.') },
        content: { 'application/json': { schema: deliverySchema } },
      },
      ...problemResponses(400, 404, 409, 415),
    },
  },
  async handle(c, deps) {
    requireLiveKey(c, 'Test keys send no e-mail.');
    const { db, queues, logger, config } = deps;
    const accountId = c.get('accountId');
    const { value, bytes } = await readJson(c, deps.json);
    const { documentId, ...lists } = parseRequest(body, value);
    const parsed = parseRecipients(lists);
    if (!parsed.ok) throw invalidField('to', 'contains an invalid address');
    const delivery = { id: newId('dlv'), documentId, recipients: parsed.recipients };
    const claim = idempotencyClaim(c, deps, 'POST /v1/deliveries', hash('sha256', bytes, 'hex'));
    const id = await createDelivery(db, accountId, delivery, { limits: emailLimitsOf(config), claim });
    await queues.add('mail', newId('req'), { deliveryId: id }).catch((error: unknown) => {
      logger.warn({ err: error, deliveryId: id }, 'an e-mail delivery is left to the sweep');
    });
    return c.json(toDeliveryResource(await findDelivery(db, accountId, id)), 202, { Location: `/v1/deliveries/${id}` });
  },
};

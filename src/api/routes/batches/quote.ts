import { z } from '@hono/zod-openapi';
import { receiveBatch } from '../../batches/receive-batch.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import { requireLiveKey } from '../../http/require-scope.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses, versionQuery } from '../common-schemas.ts';
import { batchInput, quoteSchema, replyQuote, shortened } from './batch-quote-resource.ts';
import { findBatchTemplate } from './find-batch-template.ts';

const query = z.object({ version: versionQuery });

export const quoteBatchOperation: Operation = {
  scope: 'generate',
  route: {
    method: 'post',
    path: '/v1/templates/{id}/batches/quote',
    operationId: 'quoteBatch',
    summary: 'Quote batch',
    description:
      'Reads the same request as creating a batch and returns its cost and the rows that would fail. Nothing is stored or charged.',
    tags: ['Batches'],
    request: batchInput,
    responses: {
      200: { description: 'The cost of the batch.', content: { 'application/json': { schema: quoteSchema } } },
      ...problemResponses(400, 404, 409, 415),
    },
  },
  async handle(c, deps) {
    requireLiveKey(c, 'Test keys generate single documents, not batches.');
    const permit = deps.batchUploads.acquire(c.get('accountId'));
    try {
      const { version } = parseQuery(query, c);
      const template = await findBatchTemplate(deps, c.get('accountId'), pathId(c), version);
      const received = await receiveBatch(c, deps, template, { isQuote: true });
      const operation = `POST /v1/templates/${template.id}/batches/quote${shortened(new URL(c.req.url).search)}`;
      return await replyQuote(c, deps, received, idempotencyClaim(c, deps, operation, received.bodyChecksum));
    } finally {
      permit.release();
    }
  },
};

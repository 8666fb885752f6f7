import { isUtf8 } from 'node:buffer';
import { z } from '@hono/zod-openapi';
import { renderFields } from '../../generation/render-request.ts';
import { invalidField, parseRequest } from '../../http/invalid-request.ts';
import type { Operation } from '../../http/operation.ts';
import { maxJsonDepth } from '../../http/read-json.ts';
import { scanJson } from '../../http/scan-json.ts';
import { inspectTemplate, readValidationForm, templateForm } from '../../receive-template.ts';
import { idempotencyHeader, problemResponses } from '../schemas.ts';
import { toUploadWarnings, uploadedTemplateSchema } from './metadata.ts';

const form = templateForm.partial({ name: true }).extend({
  sampleData: z.string().optional().openapi({
    description: 'JSON object to fill the template with, as `data` of generate; a field or a file, 10 MB at most.',
  }),
});

const query = z.object(renderFields);

const answer = z
  .object({
    valid: z.literal(true),
    ...uploadedTemplateSchema.pick({ tags: true, fonts: true, warnings: true }).shape,
    schema: z.record(z.string(), z.unknown()).openapi({ description: 'JSON Schema (2020-12) of `data`.' }),
    example: z.unknown().openapi({ description: 'Data that fits the schema and fills the template.' }),
  })
  .openapi('ValidTemplate');

export const validateTemplateOperation: Operation = {
  route: {
    method: 'post',
    path: '/v1/templates/validate',
    operationId: 'validateTemplate',
    summary: 'Validate template',
    description:
      'All checks of an upload; nothing is stored and no quota is used. With `sampleData` the template is filled too, as `locale`, `timezone` and `onMissing` say, which mean what they mean in generate. A template that is refused answers what upload answers, and data that does not fit what generate answers; `warnings` tells also of missing values and unused data.',
    tags: ['Templates'],
    request: {
      query,
      headers: idempotencyHeader,
      body: { required: true, content: { 'multipart/form-data': { schema: form } } },
    },
    responses: {
      200: { description: 'The template is good.', content: { 'application/json': { schema: answer } } },
      ...problemResponses(400),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    const options = parseRequest(query, c.req.query());
    const place = deps.results.enter(accountId);
    try {
      const { sampleData, ...received } = await readValidationForm(c);
      if (sampleData !== undefined) checkSample(sampleData);
      const sample = sampleData === undefined ? undefined : { accountId, data: sampleData, options };
      const { tags, schema, example, ...found } = await inspectTemplate(deps, received, sample);
      const fonts = await deps.fonts.judge(found.fonts);
      return c.json({ valid: true, tags, fonts, warnings: toUploadWarnings(fonts, found.warnings), schema, example });
    } finally {
      place.leave();
    }
  },
};

/** The rules that `data` of generate has before a worker sees it. */
function checkSample(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw invalidField('sampleData', 'is not valid UTF-8');
  if (scanJson(bytes, maxJsonDepth).depth > maxJsonDepth) {
    throw invalidField('sampleData', `nests deeper than ${maxJsonDepth} levels`);
  }
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidField('sampleData', 'must be an object');
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    const place = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    throw invalidField('sampleData', `is not valid JSON${place === undefined ? '' : ` (at byte ${place})`}`);
  }
}

import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { once } from '../../../shared/domain/idempotency-keys.ts';
import { compareSchemas } from '../../../shared/domain/templates/compare-schemas.ts';
import { findSchema, findTemplate } from '../../../shared/domain/templates/find-template.ts';
import { newId } from '../../../shared/ids.ts';
import { renderQuery } from '../../documents/output-options.ts';
import { maxJsonDepth, withoutBom } from '../../http/parse-json.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { invalidField } from '../../http/parse-request.ts';
import { scanJson } from '../../http/scan-json.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import type { Operation } from '../../operation.ts';
import { applyStatedSchema } from '../../stated-schema/apply-stated-schema.ts';
import { statedFor } from '../../stated-schema/stated-for.ts';
import { exampleId, idempotencyHeader, problemResponses } from '../common-schemas.ts';
import { identityOf, readValidationForm, requestInspection, templateForm } from './receive-template.ts';
import { toSchemaWarnings, toUploadWarnings, uploadedTemplateSchema } from './template-resource.ts';
import { toSyntax } from './template-syntax-resource.ts';

const form = z
  .object({
    ...templateForm.partial({ name: true }).shape,
    sampleData: z.string().optional().openapi({
      description: 'JSON object to fill the template with, like `data` of generate; a field or a file, at most 10 MB.',
    }),
  })
  .openapi('TemplateValidation');

const query = z.object({
  ...renderQuery,
  replaces: z
    .string()
    .regex(/^tpl_[0-9a-z]{26}$/, 'must be the id of a template')
    .optional()
    .openapi({
      description:
        'Id of a template that the file is meant to replace: what a re-upload would report about fields that are removed, retyped or newly required is among the `warnings`.',
      example: exampleId('tpl'),
    }),
});

const validTemplate = z
  .object({
    valid: z.literal(true).openapi({ description: 'Always true: a broken template gets 400.' }),
    ...uploadedTemplateSchema.pick({ tags: true, fonts: true, accessibility: true, warnings: true }).shape,
    schema: z.record(z.string(), z.unknown()).openapi({ description: 'JSON Schema (2020-12) of `data`.' }),
    example: z.unknown().openapi({ description: 'Data that fits the schema and fills the template.' }),
  })
  .openapi('ValidTemplate');

export const validateTemplateOperation: Operation = {
  scope: 'templates:write',
  route: {
    method: 'post',
    path: '/v1/templates/validate',
    operationId: 'validateTemplate',
    summary: 'Validate template',
    description:
      'Runs all checks of an upload; stores nothing and charges nothing. With `sampleData` the template is filled too, with `locale`, `timezone` and `onMissing` as in generate. A broken template gets the response of an upload, and incompatible data that of generate; `warnings` also lists missing values and unused data. With `replaces` the schema is compared with that of a template.',
    tags: ['Templates'],
    request: {
      query,
      headers: idempotencyHeader,
      body: { required: true, content: { 'multipart/form-data': { schema: form } } },
    },
    responses: {
      200: { description: 'The template is valid.', content: { 'application/json': { schema: validTemplate } } },
      ...problemResponses(400, 404, 409, 415),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    const { replaces, ...options } = parseQuery(query, c);
    const permit = deps.waitingRequests.acquire(accountId);
    try {
      const input = { accountId, templateId: replaces ?? '' };
      const replaced = replaces === undefined ? undefined : await findSchema(deps.db, input);
      const current = replaces === undefined ? undefined : await findTemplate(deps.db, accountId, replaces);
      const { sampleData: sent, ...received } = await readValidationForm(c);
      const sampleData = sent && withoutBom(sent);
      if (sampleData !== undefined) checkSample(sampleData);
      const sample = sampleData === undefined ? undefined : { data: sampleData, options };
      const inspected = await requestInspection(
        deps,
        accountId,
        { file: received.file, syntax: toSyntax(received.syntax, current?.syntax), invoiceMap: received.invoiceMap },
        sample,
      );
      const stated = replaces === undefined ? received.stated : await statedFor(deps.db, received.stated, input);
      const { tags, schema, example, ...inspection } = applyStatedSchema(inspected, stated ?? undefined);
      const digest = createHash('sha256')
        .update(received.file)
        .update('\0')
        .update(sampleData ?? '')
        .update(identityOf(received));
      const claim = idempotencyClaim(
        c,
        deps,
        `POST /v1/templates/validate ${JSON.stringify({ replaces, ...options })}`,
        digest.digest('hex'),
      );
      // Stores nothing, but binds the key, so that reusing it with another request is a conflict, as for any operation.
      await once(deps.db, accountId, newId('req'), claim, async () => undefined);
      const fonts = await deps.fonts.report(inspection.fonts, c.get('accountId'));
      return c.json({
        valid: true,
        tags,
        fonts,
        accessibility: [...inspection.accessibility],
        warnings: toUploadWarnings(fonts, [
          ...inspection.warnings,
          ...(replaced === undefined ? [] : toSchemaWarnings(compareSchemas(replaced.schema, schema))),
        ]),
        schema,
        example,
      });
    } finally {
      permit.release();
    }
  },
};

/** Validates sample data by the same rules as `data` of generate. */
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
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    throw invalidField('sampleData', `is not valid JSON${position === undefined ? '' : ` (at byte ${position})`}`);
  }
}

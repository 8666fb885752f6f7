import { z } from '@hono/zod-openapi';
import { findTemplate } from '../../../shared/domain/templates/find-template.ts';
import { replaceContent } from '../../../shared/domain/templates/replace-content.ts';
import { templatePrecondition, toEntityTag } from '../../http/conditional-request.ts';
import { keepIfWritten } from '../../http/keep-if-written.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { applyStatedSchema } from '../../stated-schema/apply-stated-schema.ts';
import { mapFor, statedFor } from '../../stated-schema/stated-for.ts';
import { etagHeader, ifMatchHeader, problemResponses, templateIdParam } from '../common-schemas.ts';
import {
  readTemplateForm,
  requestInspection,
  requestUploadedProof,
  storeTemplate,
  strictSchemaQuery,
  templateForm,
} from './receive-template.ts';
import { toSchemaWarnings, toUploadedTemplate, uploadedTemplateSchema } from './template-resource.ts';
import { toSyntax } from './template-syntax-resource.ts';

const query = z.object({ strictSchema: strictSchemaQuery });

export const replaceContentOperation: Operation = {
  scope: 'templates:write',
  route: {
    method: 'put',
    path: '/v1/templates/{id}/content',
    operationId: 'replaceTemplateContent',
    summary: 'Re-upload template',
    description:
      'Replaces the content with a new version, checked like an upload. `PUT /v1/templates` does the same for the template with a name. Documents that are already accepted keep their version. Removed, retyped or newly required fields are listed in `warnings`, or rejected with `strictSchema=true`. A version without a stored schema, because it has too many names, is not compared; a warning reports that.',
    tags: ['Templates'],
    request: {
      params: z.object({ id: templateIdParam }),
      query,
      headers: ifMatchHeader,
      body: { required: true, content: { 'multipart/form-data': { schema: templateForm } } },
    },
    responses: {
      200: {
        description: 'The template.',
        headers: etagHeader,
        content: { 'application/json': { schema: uploadedTemplateSchema } },
      },
      ...problemResponses(400, 404, 412, 415),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    const templateId = pathId(c);
    const isStrict = parseQuery(query, c).strictSchema === 'true';
    const precondition = templatePrecondition(c);
    const permit = deps.waitingRequests.acquire(accountId);
    try {
      const current = await findTemplate(deps.db, accountId, templateId, 'newest');
      const received = await readTemplateForm(c);
      const syntax = toSyntax(received.syntax, current.syntax);
      const of = { accountId, templateId };
      const stated = await statedFor(deps.db, received.stated, of);
      const invoiceMap = await mapFor(deps.db, received.invoiceMap, of);
      const inspected = await requestInspection(deps, accountId, { file: received.file, syntax, invoiceMap });
      const inspection = applyStatedSchema(inspected, stated);
      const owner = { accountId, templateId, uploadedBy: c.get('keyId'), syntax, stated, invoiceMap };
      const content = await storeTemplate(deps, received, inspection, owner);
      const input = { templateId, accountId, name: received.name, precondition, isStrict, ...content };
      const { template } = await keepIfWritten(deps, content, async () => ({
        template: await replaceContent(deps.db, input),
        isWritten: true,
      }));
      await requestUploadedProof(deps, accountId, template);
      const fonts = await deps.fonts.report(template.fonts, c.get('accountId'));
      const warnings = [...inspection.warnings, ...toSchemaWarnings(template.schemaChanges)];
      return c.json(toUploadedTemplate(template, fonts, warnings), 200, { ETag: toEntityTag(template) });
    } finally {
      permit.release();
    }
  },
};

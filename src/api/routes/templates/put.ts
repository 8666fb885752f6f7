import { z } from '@hono/zod-openapi';
import { requireTemplateQuota } from '../../../shared/domain/templates/create-template.ts';
import { findTemplateByName, putTemplate } from '../../../shared/domain/templates/put-template.ts';
import { newId } from '../../../shared/ids.ts';
import { templatePrecondition, toEntityTag } from '../../http/conditional-request.ts';
import { keepIfWritten } from '../../http/keep-if-written.ts';
import { parseQuery } from '../../http/parse-query.ts';
import type { Operation } from '../../operation.ts';
import { applyStatedSchema } from '../../stated-schema/apply-stated-schema.ts';
import { mapFor, statedFor } from '../../stated-schema/stated-for.ts';
import { etagHeader, header, ifMatchHeader, problemResponses } from '../common-schemas.ts';
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

const uploaded = { 'application/json': { schema: uploadedTemplateSchema } };
const query = z.object({ strictSchema: strictSchemaQuery });

export const putTemplateOperation: Operation = {
  scope: 'templates:write',
  route: {
    method: 'put',
    path: '/v1/templates',
    operationId: 'putTemplate',
    summary: 'Upload template by name',
    description:
      'Creates the template with this name, or replaces its content with a new version, checked like an upload. A file that equals the current version, with the same delimiters, `schema` and `invoiceMap`, adds no version, so the request can be repeated. Two requests for a new name at the same time make one template. Answers 409 if several templates of the account have the name.',
    tags: ['Templates'],
    request: {
      query,
      headers: ifMatchHeader.extend({
        'If-None-Match': ifMatchHeader.shape['If-None-Match'].openapi({
          description: '`*`: create the template, and reject the request with 412 if the account has one of this name.',
          example: '*',
        }),
      }),
      body: { required: true, content: { 'multipart/form-data': { schema: templateForm } } },
    },
    responses: {
      200: {
        description: 'The template had this name already. `version` is the new version, or that of the equal file.',
        headers: etagHeader,
        content: uploaded,
      },
      201: {
        description: 'The new template.',
        headers: { Location: header('Address of the template.'), ...etagHeader },
        content: uploaded,
      },
      ...problemResponses(400, 402, 409, 412, 415),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    const isStrict = parseQuery(query, c).strictSchema === 'true';
    const precondition = templatePrecondition(c);
    const isNewAllowed = c.req.header('If-Match') === undefined;
    const permit = deps.waitingRequests.acquire(accountId);
    try {
      const received = await readTemplateForm(c);
      const { name, file } = received;
      const found = await findTemplateByName(deps.db, accountId, name, 'newest');
      if (found === undefined) await requireTemplateQuota(deps.db, accountId, undefined);
      const syntax = toSyntax(received.syntax, found?.syntax);
      const id = newId('tpl');
      const of = { accountId, templateId: found?.id ?? id };
      const sent = received.stated;
      const stated = found === undefined ? (sent ?? undefined) : await statedFor(deps.db, sent, of);
      const invoiceMap =
        found === undefined ? (received.invoiceMap ?? undefined) : await mapFor(deps.db, received.invoiceMap, of);
      const inspected = await requestInspection(deps, accountId, { file, syntax, invoiceMap });
      const inspection = applyStatedSchema(inspected, stated);
      const owner = { ...of, uploadedBy: c.get('keyId'), syntax, stated, invoiceMap };
      const content = await storeTemplate(deps, received, inspection, owner);
      const isStated = sent !== undefined;
      const { delimiters, unlikelyTags } = received.syntax;
      const isMapped = received.invoiceMap !== undefined;
      const keepsNothing = isStated && isMapped && delimiters !== undefined && unlikelyTags !== undefined;
      const keeps = keepsNothing ? {} : { keeps: { version: found?.version } };
      const input = {
        id,
        accountId,
        name,
        precondition,
        isNewAllowed,
        isStrict,
        isStated,
        isMapped,
        ...keeps,
        ...content,
      };
      const { template, outcome, schemaChanges } = await keepIfWritten(deps, content, async () => {
        const put = await putTemplate(deps.db, input);
        return { ...put, isWritten: put.outcome !== 'unchanged' };
      });
      if (outcome !== 'unchanged') await requestUploadedProof(deps, accountId, template);
      const fonts = await deps.fonts.report(template.fonts, accountId);
      const body = toUploadedTemplate(template, fonts, [...inspection.warnings, ...toSchemaWarnings(schemaChanges)]);
      const headers = { ETag: toEntityTag(template) };
      if (outcome !== 'created') return c.json(body, 200, headers);
      return c.json(body, 201, { ...headers, Location: `/v1/templates/${template.id}` });
    } finally {
      permit.release();
    }
  },
};

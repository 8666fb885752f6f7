import type { Context } from 'hono';
import {
  type CreateTemplateInput,
  createTemplate,
  createTemplateOnce,
  requireTemplateQuota,
} from '../../../shared/domain/templates/create-template.ts';
import type { TemplateRecord } from '../../../shared/domain/templates/template-record.ts';
import { newId } from '../../../shared/ids.ts';
import type { ApiDeps } from '../../api-deps.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { toEntityTag } from '../../http/conditional-request.ts';
import { keepIfWritten } from '../../http/keep-if-written.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import type { Operation } from '../../operation.ts';
import { applyStatedSchema } from '../../stated-schema/apply-stated-schema.ts';
import { etagHeader, header, idempotencyHeader, problemResponses } from '../common-schemas.ts';
import {
  readTemplateForm,
  requestInspection,
  requestUploadedProof,
  storeTemplate,
  templateForm,
} from './receive-template.ts';
import { toUploadedTemplate, uploadedTemplateSchema } from './template-resource.ts';
import { toSyntax } from './template-syntax-resource.ts';

export const uploadTemplateOperation: Operation = {
  scope: 'templates:write',
  route: {
    method: 'post',
    path: '/v1/templates',
    operationId: 'uploadTemplate',
    summary: 'Upload template',
    description:
      'Opens the file and reads its tags. A file without tags or with broken tags is rejected with one `details` entry for each error, and nothing is stored. Each upload makes a new template, whatever its name; `PUT /v1/templates` uploads by name.',
    tags: ['Templates'],
    request: {
      headers: idempotencyHeader,
      body: { required: true, content: { 'multipart/form-data': { schema: templateForm } } },
    },
    responses: {
      201: {
        description: 'The new template.',
        headers: { Location: header('Address of the template.'), ...etagHeader },
        content: { 'application/json': { schema: uploadedTemplateSchema } },
      },
      ...problemResponses(400, 402, 409, 415),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    const permit = deps.waitingRequests.acquire(accountId);
    try {
      await requireTemplateQuota(deps.db, accountId, c.get('idempotencyKey'));
      const received = await readTemplateForm(c);
      const syntax = toSyntax(received.syntax);
      const stated = received.stated ?? undefined;
      const invoiceMap = received.invoiceMap ?? undefined;
      const inspected = await requestInspection(deps, accountId, { file: received.file, syntax, invoiceMap });
      const inspection = applyStatedSchema(inspected, stated);
      const id = newId('tpl');
      const owner = { accountId, templateId: id, uploadedBy: c.get('keyId'), syntax, stated, invoiceMap };
      const content = await storeTemplate(deps, received, inspection, owner);
      const input = { id, accountId, name: received.name, ...content };
      const { template } = await keepIfWritten(deps, content, () => write(c, deps, received.requestHash, input));
      await requestUploadedProof(deps, accountId, template);
      return c.json(
        toUploadedTemplate(template, await deps.fonts.report(template.fonts, c.get('accountId')), inspection.warnings),
        201,
        {
          Location: `/v1/templates/${template.id}`,
          ETag: toEntityTag(template),
        },
      );
    } finally {
      permit.release();
    }
  },
};

async function write(
  c: Context<ApiEnv>,
  deps: ApiDeps,
  requestHash: string,
  input: CreateTemplateInput,
): Promise<{ readonly template: TemplateRecord; readonly isWritten: boolean }> {
  const claim = idempotencyClaim(c, deps, 'POST /v1/templates', requestHash);
  if (claim === undefined) return { template: await createTemplate(deps.db, input), isWritten: true };
  const { template, isReplay } = await createTemplateOnce(deps.db, input, claim);
  return { template, isWritten: !isReplay };
}

import type { Context } from 'hono';
import {
  type CreateTemplateInput,
  createTemplate,
  requireTemplatePlace,
} from '../../../shared/domain/templates/create-template.ts';
import { createTemplateOnce } from '../../../shared/domain/templates/create-template-once.ts';
import type { TemplateRecord } from '../../../shared/domain/templates/template-record.ts';
import { newId } from '../../../shared/ids.ts';
import type { ApiDeps } from '../../context.ts';
import type { ApiEnv } from '../../env.ts';
import { keepIfWritten } from '../../http/keep-if-written.ts';
import type { Operation } from '../../http/operation.ts';
import { inspectTemplate, readTemplateForm, storeTemplate, templateForm } from '../../receive-template.ts';
import { header, idempotencyHeader, problemResponses } from '../schemas.ts';
import { toUploadedTemplate, uploadedTemplateSchema } from './metadata.ts';

export const uploadTemplateOperation: Operation = {
  route: {
    method: 'post',
    path: '/v1/templates',
    operationId: 'uploadTemplate',
    summary: 'Upload template',
    description:
      'The file is opened and its tags are read before the answer. A file without tags, or with broken ones, is refused with one `details` entry for each error, and nothing is stored.',
    tags: ['Templates'],
    request: {
      headers: idempotencyHeader,
      body: { required: true, content: { 'multipart/form-data': { schema: templateForm } } },
    },
    responses: {
      201: {
        description: 'The new template.',
        headers: { Location: header('Address of the template.') },
        content: { 'application/json': { schema: uploadedTemplateSchema } },
      },
      ...problemResponses(400, 402, 409),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    const place = deps.results.enter(accountId);
    try {
      await requireTemplatePlace(deps.db, accountId, c.get('idempotencyKey'));
      const received = await readTemplateForm(c);
      const found = await inspectTemplate(deps, received);
      const id = newId('tpl');
      const content = await storeTemplate(deps, received, found, { accountId, templateId: id });
      const input = { id, accountId, name: received.name, ...content };
      const { template } = await keepIfWritten(deps, content, () => write(c, deps, received.requestHash, input));
      return c.json(toUploadedTemplate(template, await deps.fonts.judge(template.fonts), found.warnings), 201, {
        Location: `/v1/templates/${template.id}`,
      });
    } finally {
      place.leave();
    }
  },
};

async function write(
  c: Context<ApiEnv>,
  deps: ApiDeps,
  requestHash: string,
  input: CreateTemplateInput,
): Promise<{ readonly template: TemplateRecord; readonly isWritten: boolean }> {
  const key = c.get('idempotencyKey');
  if (key === undefined) return { template: await createTemplate(deps.db, input), isWritten: true };
  const { template, isReplay } = await createTemplateOnce(deps.db, input, {
    key,
    operation: 'POST /v1/templates',
    requestHash,
    ttlSeconds: deps.config.RESULT_TTL_SECONDS,
  });
  return { template, isWritten: !isReplay };
}

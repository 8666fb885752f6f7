import { z } from '@hono/zod-openapi';
import { findTemplate } from '../../../shared/domain/templates/find-template.ts';
import { replaceContent } from '../../../shared/domain/templates/replace-content.ts';
import type { Operation } from '../../operation.ts';
import {
  inspectTemplate,
  keepIfWritten,
  readTemplateForm,
  storeTemplate,
  templateForm,
} from '../../receive-template.ts';
import { parseIfMatch, toEntityTag } from '../../request/entity-tag.ts';
import { pathId } from '../../request/path-id.ts';
import { ifMatchHeader, problemResponses, templateIdParam } from '../schemas.ts';
import { toUploadedTemplate, uploadedTemplateSchema } from './metadata.ts';

export const replaceContentOperation: Operation = {
  route: {
    method: 'put',
    path: '/v1/templates/{id}/content',
    operationId: 'replaceTemplateContent',
    summary: 'Re-upload template',
    description:
      'Replaces the content with a new version, checked as an upload is. Documents accepted before keep the version they were accepted with.',
    tags: ['Templates'],
    request: {
      params: z.object({ id: templateIdParam }),
      headers: ifMatchHeader,
      body: { required: true, content: { 'multipart/form-data': { schema: templateForm } } },
    },
    responses: {
      200: { description: 'The template.', content: { 'application/json': { schema: uploadedTemplateSchema } } },
      ...problemResponses(400, 404, 409),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    const templateId = pathId(c);
    const expected = parseIfMatch(c.req.header('If-Match'));
    const place = deps.results.enter(accountId);
    try {
      await findTemplate(deps.db, accountId, templateId);
      const received = await readTemplateForm(c);
      const found = await inspectTemplate(deps, received);
      const content = await storeTemplate(deps, received, found, { accountId, templateId });
      const { template } = await keepIfWritten(deps, content, async () => ({
        template: await replaceContent(deps.db, { templateId, accountId, name: received.name, expected, ...content }),
        isWritten: true,
      }));
      return c.json(toUploadedTemplate(template, await deps.fonts.judge(template.fonts), found.warnings), 200, {
        ETag: toEntityTag(template),
      });
    } finally {
      place.leave();
    }
  },
};

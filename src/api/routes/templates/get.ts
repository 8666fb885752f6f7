import { z } from '@hono/zod-openapi';
import { findTemplate } from '../../../shared/domain/templates/find-template.ts';
import { findLayoutState } from '../../../shared/domain/templates/layout-proofs.ts';
import { findIncluded } from '../../../shared/domain/templates/resolve-includes.ts';
import { notModified, toEntityTag } from '../../http/conditional-request.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import {
  etagHeader,
  notModifiedResponse,
  problemResponses,
  readPreconditions,
  templateIdParam,
} from '../common-schemas.ts';
import { toIncludes } from './includes-resource.ts';
import { toPdfEngine } from './pdf-engine-resource.ts';
import { templateDetailSchema, toTemplateDetail } from './template-resource.ts';

export const getTemplateOperation: Operation = {
  scope: 'templates:read',
  route: {
    method: 'get',
    path: '/v1/templates/{id}',
    operationId: 'getTemplate',
    summary: 'Get template',
    description: 'The current version of a template, with its tags and fonts.',
    tags: ['Templates'],
    request: { params: z.object({ id: templateIdParam }), headers: readPreconditions },
    responses: {
      200: {
        description: 'The template.',
        headers: etagHeader,
        content: { 'application/json': { schema: templateDetailSchema } },
      },
      ...notModifiedResponse,
      ...problemResponses(404, 412),
    },
  },
  async handle(c, { db, fonts, config }) {
    const accountId = c.get('accountId');
    const template = await findTemplate(db, accountId, pathId(c));
    const etag = toEntityTag(template);
    const unchanged = notModified(c, etag);
    if (unchanged !== undefined) return unchanged;
    const layout = config.DIRECT_PDF === 'on' ? await findLayoutState(db, template.id, template.version) : undefined;
    const detail = toTemplateDetail(template, await fonts.report(template.fonts, accountId));
    const included = await findIncluded(db, { accountId, references: template.includes ?? [] });
    return c.json({ ...detail, ...toIncludes(included), ...toPdfEngine(layout) }, 200, { ETag: etag });
  },
};

import { z } from '@hono/zod-openapi';
import { findFont } from '../../../shared/domain/fonts/find-fonts.ts';
import { notModified, toChecksumTag } from '../../http/conditional-request.ts';
import { pathId } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { etagHeader, notModifiedResponse, problemResponses, readPreconditions } from '../common-schemas.ts';
import { accountFontSchema, fontIdParam, toAccountFontResource } from './account-font-resource.ts';

export const getFontOperation: Operation = {
  scope: 'templates:read',
  route: {
    method: 'get',
    path: '/v1/fonts/{id}',
    operationId: 'getFont',
    summary: 'Get font',
    description: 'A font of the account. Its file cannot be downloaded.',
    tags: ['Fonts'],
    request: { params: z.object({ id: fontIdParam }), headers: readPreconditions },
    responses: {
      200: {
        description: 'The font.',
        headers: etagHeader,
        content: { 'application/json': { schema: accountFontSchema } },
      },
      ...notModifiedResponse,
      ...problemResponses(404, 412),
    },
  },
  async handle(c, { db }) {
    const font = await findFont(db, c.get('accountId'), pathId(c));
    const etag = toChecksumTag(font.checksum);
    return notModified(c, etag) ?? c.json(toAccountFontResource(font), 200, { ETag: etag });
  },
};

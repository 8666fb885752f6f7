import { z } from '@hono/zod-openapi';
import { listAssets } from '../../../shared/domain/assets/find-assets.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { plainLine } from '../../http/plain-text.ts';
import type { Operation } from '../../operation.ts';
import { cursorParam, limitParam, nextPageHeader, problemResponses } from '../common-schemas.ts';
import { assetSchema, toAssetResource } from './asset-resource.ts';

const query = z.object({
  limit: limitParam,
  cursor: cursorParam,
  name: plainLine(1, 200)
    .optional()
    .openapi({ description: 'Only assets whose name contains this text, ignoring case.' }),
});

export const listAssetsOperation: Operation = {
  scope: 'templates:read',
  route: {
    method: 'get',
    path: '/v1/assets',
    operationId: 'listAssets',
    summary: 'List assets',
    description: 'All assets of the account, newest first. The `Link` header (RFC 8288) points to the next page.',
    tags: ['Assets'],
    request: { query },
    responses: {
      200: {
        description: 'Assets.',
        headers: nextPageHeader,
        content: { 'application/json': { schema: z.array(assetSchema).openapi('AssetList') } },
      },
      ...problemResponses(400),
    },
  },
  async handle(c, { db, config }) {
    const { limit, cursor, name } = parseQuery(query, c);
    const before = parseCursor(cursor, 'ast');
    const page = await listAssets(db, { accountId: c.get('accountId'), limit, before, name });
    setNextLink(c, config.PUBLIC_URL, page.next);
    return c.json(page.assets.map(toAssetResource));
  },
};

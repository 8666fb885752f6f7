import { z } from '@hono/zod-openapi';
import { assetNotFound } from '../../../shared/domain/assets/asset-record.ts';
import { findAsset } from '../../../shared/domain/assets/find-assets.ts';
import { contentDisposition, toSafeFilename } from '../../generation/output-filename.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/parse-request.ts';
import { header, problemResponses } from '../common-schemas.ts';
import { assetIdParam, mediaTypes } from './asset-resource.ts';

const file = z.string().openapi({ type: 'string', format: 'binary' });

export const downloadAssetOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/assets/{id}/content',
    operationId: 'downloadAsset',
    summary: 'Download asset',
    description: 'The picture, byte for byte as it was uploaded. Browsers save it instead of displaying it.',
    tags: ['Assets'],
    request: { params: z.object({ id: assetIdParam }) },
    responses: {
      200: {
        description: 'The picture.',
        headers: {
          'Content-Disposition': header('Name of the file (RFC 6266), with the extension of its type.'),
          ETag: header('SHA-256 of the file, hex, in quotes.'),
        },
        content: Object.fromEntries(Object.values(mediaTypes).map((type) => [type, { schema: file }])),
      },
      ...problemResponses(404),
    },
  },
  async handle(c, { db, objects }) {
    const asset = await findAsset(db, c.get('accountId'), pathId(c));
    const bytes = await objects.get(asset.objectKey, asset.checksum);
    if (bytes === undefined) throw assetNotFound();
    return c.body(new Uint8Array(bytes), 200, {
      'Content-Type': mediaTypes[asset.type],
      'Content-Disposition': contentDisposition(toSafeFilename(asset.name, asset.type)),
      'Content-Security-Policy': "sandbox; default-src 'none'",
      ETag: `"${asset.checksum}"`,
    });
  },
};

import { z } from '@hono/zod-openapi';
import { type AssetRecord, assetNotFound } from '../../../shared/domain/assets/asset-record.ts';
import { findAsset } from '../../../shared/domain/assets/find-assets.ts';
import { contentDisposition, toSafeFilename } from '../../documents/output-filename.ts';
import { toChecksumTag } from '../../http/conditional-request.ts';
import { pathId } from '../../http/parse-request.ts';
import { bytesOf, sendFile } from '../../http/send-file.ts';
import type { Operation } from '../../operation.ts';
import { downloadHeaders, fileResponses, problemResponses } from '../common-schemas.ts';
import { assetIdParam, mediaTypes } from './asset-resource.ts';

export const downloadAssetOperation: Operation = {
  scope: 'templates:read',
  route: {
    method: 'get',
    path: '/v1/assets/{id}/content',
    operationId: 'downloadAsset',
    summary: 'Download asset',
    description:
      'The file, byte for byte as it was uploaded. Browsers save it instead of displaying it. Its `ETag` is that of the asset. Supports `Range` and `If-Range`.',
    tags: ['Assets'],
    request: { params: z.object({ id: assetIdParam }), headers: downloadHeaders },
    responses: { ...fileResponses(Object.values(mediaTypes)), ...problemResponses(404, 412, 416) },
  },
  async handle(c, { db, objects }) {
    const asset = await findAsset(db, c.get('accountId'), pathId(c));
    return sendFile(c, {
      etag: toChecksumTag(asset.checksum),
      sizeBytes: asset.sizeBytes,
      headers: {
        'Content-Type': mediaTypes[asset.type],
        'Content-Disposition': contentDisposition(toSafeFilename(asset.name, extensionOf(asset))),
        'Content-Security-Policy': "sandbox; default-src 'none'",
      },
      async read(range) {
        const file = await objects.get(asset.objectKey, asset.checksum);
        if (file === undefined) throw assetNotFound();
        return bytesOf(file, range);
      },
    });
  },
};

/** A file of unknown type is identified by the extension of its name. */
function extensionOf({ name, type }: AssetRecord): string {
  return type === 'file' ? (/[.]([A-Za-z0-9]{1,10})$/.exec(name)?.[1] ?? 'bin') : type;
}

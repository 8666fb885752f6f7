import { z } from '@hono/zod-openapi';
import type { AssetRecord, AssetType } from '../../../shared/domain/assets/asset-record.ts';
import { exampleId, idParam } from '../common-schemas.ts';

export const assetIdParam = idParam('ast', 'Id of the asset.');

export const mediaTypes: Readonly<Record<AssetType, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  file: 'application/octet-stream',
};

export const assetSchema = z
  .object({
    id: z.string().openapi({ description: 'Id of the asset.', example: exampleId('ast') }),
    name: z.string().openapi({ description: 'Name by which requests can refer to it.', example: 'logo.png' }),
    type: z
      .enum(['png', 'jpeg', 'gif', 'svg', 'pdf', 'file'])
      .openapi({ description: 'Detected from the content, not from the name; `file` if uploaded with `kind` file.' }),
    size: z.number().int().openapi({ description: 'Size of the file in bytes.', example: 18_204 }),
    checksum: z.string().openapi({ description: 'SHA-256 of the file, hex.' }),
    width: z
      .number()
      .int()
      .openapi({ description: 'In pixels; for an SVG, at 96 dpi. 0 unless it is a picture.', example: 640 }),
    height: z.number().int().openapi({ description: 'In pixels. 0 unless it is a picture.', example: 480 }),
    createdAt: z.iso.datetime().openapi({ description: 'When the asset was first uploaded.' }),
    updatedAt: z.iso.datetime().openapi({ description: 'When its content was last replaced.' }),
  })
  .openapi('Asset');

export function toAssetResource(asset: AssetRecord): z.infer<typeof assetSchema> {
  return {
    id: asset.id,
    name: asset.name,
    type: asset.type,
    size: asset.sizeBytes,
    checksum: asset.checksum,
    width: asset.widthPx,
    height: asset.heightPx,
    createdAt: asset.createdAt.toISOString(),
    updatedAt: asset.updatedAt.toISOString(),
  };
}

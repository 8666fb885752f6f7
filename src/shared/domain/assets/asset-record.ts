import { type SQL, sql } from 'drizzle-orm';

export type AssetType = 'png' | 'jpeg' | 'gif' | 'svg';

/** What a picture was found to be; `objectKey` is where its bytes already lie. */
export interface AssetContent {
  readonly type: AssetType;
  readonly objectKey: string;
  readonly sizeBytes: number;
  /** SHA-256, hex. */
  readonly checksum: string;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A picture kept with an account. */
export interface AssetRecord extends AssetContent {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface AssetRow extends Record<string, unknown> {
  readonly id: string;
  readonly name: string;
  readonly type: AssetType;
  readonly object_key: string;
  readonly size_bytes: number;
  readonly checksum: string;
  readonly width_px: number;
  readonly height_px: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export const assetColumns: SQL = sql.raw(
  'id, name, type, object_key, size_bytes, checksum, width_px, height_px, created_at, updated_at',
);

export function toAssetRecord(row: AssetRow): AssetRecord {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    objectKey: row.object_key,
    sizeBytes: row.size_bytes,
    checksum: row.checksum,
    widthPx: row.width_px,
    heightPx: row.height_px,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

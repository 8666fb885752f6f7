import { getTableColumns } from 'drizzle-orm';
import { assets } from '../../db/schema/assets.ts';
import { AppError } from '../../errors.ts';

/** The properties of an inspected picture whose bytes are already stored at `objectKey`. */
export type AssetContent = Pick<AssetRecord, 'type' | 'objectKey' | 'sizeBytes' | 'checksum' | 'widthPx' | 'heightPx'>;

const { accountId: _accountId, ...columns } = getTableColumns(assets);
/** The selected columns of an asset. */
export const assetColumns = columns;

export type AssetType = AssetRecord['type'];

/** A picture of an account. `checksum` is SHA-256, hex. */
export type AssetRecord = Readonly<Omit<typeof assets.$inferSelect, 'accountId'>>;

export const assetNotFound = (): AppError => new AppError('not_found', 'There is no asset with this id');

import { getTableColumns } from 'drizzle-orm';
import { fonts } from '../../db/schema/fonts.ts';
import { AppError } from '../../errors.ts';

const { accountId: _accountId, familyKey: _familyKey, deletedAt: _deletedAt, ...columns } = getTableColumns(fonts);
/** The selected columns of a font. */
export const fontColumns = columns;

/**
 * A font of an account. `checksum` is the SHA-256 of the uploaded file, `objectChecksum` that of the stored one, hex.
 */
export type FontRecord = Readonly<Omit<typeof fonts.$inferSelect, 'accountId' | 'familyKey' | 'deletedAt'>>;

export const fontNotFound = (): AppError => new AppError('not_found', 'There is no font with this id');

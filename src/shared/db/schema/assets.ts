import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { accountId } from './accounts.ts';
import { time } from './columns.ts';

/**
 * Pictures and other files of an account. The width and height of a file that is not a picture are 0. Names are unique.
 * The content under an object key never changes.
 */
export const assets = pgTable(
  'assets',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    name: text('name').notNull(),
    type: text('type', { enum: ['png', 'jpeg', 'gif', 'svg', 'pdf', 'file'] }).notNull(),
    objectKey: text('object_key').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    checksum: text('checksum').notNull(),
    widthPx: integer('width_px').notNull(),
    heightPx: integer('height_px').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('assets_name').on(table.accountId, table.name),
    index('assets_account').on(table.accountId, table.id.desc()),
    uniqueIndex('assets_object').on(table.objectKey),
  ],
);

import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { accountId } from './accounts.ts';
import { time } from './columns.ts';

/**
 * Fonts of an account. The object holds the font in the form that conversions use; its content never changes. A deleted
 * font is kept for documents accepted before. A replaced font becomes a deleted font with its own id.
 */
export const fonts = pgTable(
  'fonts',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    name: text('name').notNull(),
    family: text('family').notNull(),
    /** The family in lower case. */
    familyKey: text('family_key').notNull(),
    familyNames: jsonb('family_names').$type<readonly string[]>().notNull(),
    fullName: text('full_name').notNull(),
    style: text('style', { enum: ['regular', 'bold', 'italic', 'boldItalic'] }).notNull(),
    version: text('version'),
    format: text('format', { enum: ['truetype', 'opentype'] }).notNull(),
    embedding: text('embedding', { enum: ['installable', 'editable', 'print'] }).notNull(),
    glyphs: integer('glyphs').notNull(),
    /** First and last code point of each range of characters. */
    coverage: jsonb('coverage').$type<readonly number[]>().notNull(),
    /** Size and SHA-256 of the uploaded file. */
    sizeBytes: integer('size_bytes').notNull(),
    checksum: text('checksum').notNull(),
    objectKey: text('object_key').notNull(),
    objectChecksum: text('object_checksum').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    deletedAt: time('deleted_at'),
  },
  (table) => [
    uniqueIndex('fonts_face').on(table.accountId, table.familyKey, table.style).where(sql`${table.deletedAt} is null`),
    index('fonts_account').on(table.accountId, table.id.desc()),
    uniqueIndex('fonts_object').on(table.objectKey),
    index('fonts_deleted').on(table.deletedAt, table.id).where(sql`${table.deletedAt} is not null`),
  ],
);

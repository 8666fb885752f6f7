import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { ErrorRecord } from '../../errors.ts';
import type { TemplateSyntax } from '../../template-syntax.ts';
import { accountId } from './accounts.ts';
import { bytes, time } from './columns.ts';

/** What keeps the documents of a template from being accessible, by kind. */
export interface AccessibilityNote {
  readonly code: string;
  readonly message: string;
  readonly count: number;
}

export const templates = pgTable(
  'templates',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    latestVersion: integer('latest_version').notNull().default(1),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    deletedAt: time('deleted_at'),
    /** The only version of LibreOffice, such as 25.2, that may lay out its documents; null for any. */
    engine: text('engine'),
  },
  (table) => [
    index('templates_name').on(table.accountId, table.name).where(sql`${table.deletedAt} is null`),
    index('templates_account').on(table.accountId, table.id.desc()).where(sql`${table.deletedAt} is null`),
    index('templates_deleted').on(table.deletedAt, table.id).where(sql`${table.deletedAt} is not null`),
  ],
);

export const templateVersions = pgTable(
  'template_versions',
  {
    templateId: text('template_id')
      .notNull()
      .references(() => templates.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    objectKey: text('object_key').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    checksum: text('checksum').notNull(),
    tags: jsonb('tags').$type<readonly string[]>().notNull(),
    fonts: jsonb('fonts').$type<readonly string[]>().notNull().default([]),
    accessibility: jsonb('accessibility').$type<readonly AccessibilityNote[]>().notNull().default([]),
    schema: jsonb('schema').$type<Readonly<Record<string, unknown>>>(),
    example: jsonb('example').$type<unknown>(),
    /** How its tags are written. Null for versions from before there was a choice. */
    syntax: jsonb('syntax').$type<TemplateSyntax>(),
    /** The names or ids of the templates that its tags include; null for none. */
    includes: jsonb('includes').$type<readonly string[]>(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.templateId, table.version] }),
    uniqueIndex('template_versions_object').on(table.objectKey),
  ],
);

/** Data with which engines are compared before an upgrade, stored by the operator. */
export const goldenData = pgTable(
  'golden_data',
  {
    templateId: text('template_id')
      .notNull()
      .references(() => templates.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** JSON, byte for byte as it was given. */
    data: bytes('data').notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.templateId, table.name] })],
);

/** A small picture of the first page of a version, made when it is first asked for; or why there is none. */
export const templateThumbnails = pgTable(
  'template_thumbnails',
  {
    templateId: text('template_id').notNull(),
    version: integer('version').notNull(),
    png: bytes('png'),
    /** SHA-256 of the picture, hex. */
    checksum: text('checksum'),
    error: jsonb('error').$type<ErrorRecord>(),
    /** SHA-256 of the keys of the files that it includes, hex; null for none. */
    includesChecksum: text('includes_checksum'),
    madeAt: time('made_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.templateId, table.version] }),
    foreignKey({
      name: 'template_thumbnails_version',
      columns: [table.templateId, table.version],
      foreignColumns: [templateVersions.templateId, templateVersions.version],
    }).onDelete('cascade'),
  ],
);

/** Where the pages of two engines differ, without their text. */
export interface PageDifference {
  readonly measure: 'pages' | 'outline' | 'page size' | 'text' | 'drawing';
  /** Counted from 1. */
  readonly page: number;
  readonly message: string;
  /** Points from the left and the upper edge of the page. */
  readonly x?: number | undefined;
  readonly y?: number | undefined;
}

/**
 * Whether Docmill may lay out the PDFs of a version itself, because its pages have been compared with those of LibreOffice. There is a row for
 * each set of engines and fonts, because each is compared anew.
 */
export const layoutProofs = pgTable(
  'layout_proofs',
  {
    templateId: text('template_id').notNull(),
    version: integer('version').notNull(),
    /** Digest of both engines and the fonts; see `layoutKey`. */
    layoutKey: text('layout_key').notNull(),
    /** `waiting` for its comparison; then the engine of the version's PDFs. */
    state: text('state', { enum: ['waiting', 'direct', 'office'] })
      .notNull()
      .default('waiting'),
    /** Why it is `office`. */
    reasons: jsonb('reasons').$type<readonly string[]>().notNull().default([]),
    /** The document with which a page check found a difference, and where it is. */
    documentId: text('document_id'),
    differences: jsonb('differences').$type<readonly PageDifference[]>(),
    /** Documents that were compared before it became `direct`, and those of callers since. */
    compared: integer('compared').notNull().default(0),
    checked: integer('checked').notNull().default(0),
    /** How many of the account waited before it. */
    ahead: integer('ahead').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    claimedUntil: time('claimed_until'),
    requestedAt: time('requested_at').notNull().defaultNow(),
    decidedAt: time('decided_at'),
  },
  (table) => [
    primaryKey({ columns: [table.templateId, table.version, table.layoutKey] }),
    index('layout_proofs_waiting')
      .on(table.layoutKey, table.ahead, table.requestedAt)
      .where(sql`${table.state} = 'waiting'`),
    foreignKey({
      name: 'layout_proofs_version',
      columns: [table.templateId, table.version],
      foreignColumns: [templateVersions.templateId, templateVersions.version],
    }).onDelete('cascade'),
  ],
);

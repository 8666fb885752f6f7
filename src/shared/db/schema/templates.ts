import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { DataSchema } from '../../data-schema.ts';
import type { ErrorRecord } from '../../errors.ts';
import type { JsonObject } from '../../json.ts';
import type { TemplateSyntax } from '../../template-syntax.ts';
import { accountId } from './accounts.ts';
import { bytes, time } from './columns.ts';

/** Obstacles to the accessibility of a template's documents, by kind. */
export interface AccessibilityNote {
  readonly code: string;
  readonly message: string;
  readonly count: number;
}

/**
 * Where a version is on its way to live keys; null if it needs no approval, because it was uploaded while the account
 * needed none. `approved` and `refused` never change.
 */
export const reviewStates = ['draft', 'review', 'approved', 'refused'] as const;
export type ReviewState = (typeof reviewStates)[number];

/** A person as the account knows it: an API key and its name at that time. */
export interface ReviewPerson {
  readonly keyId: string;
  readonly name: string | null;
}

/** Who made a version live, and when; `overrideReason` if nobody approved it. */
export interface Approval extends ReviewPerson {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly overrideReason?: string | undefined;
}

export const reviewActions = ['submitted', 'commented', 'approved', 'refused', 'overridden'] as const;

/** One step of a review. */
export interface ReviewEntry extends ReviewPerson {
  readonly action: (typeof reviewActions)[number];
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly comment?: string | undefined;
}

export const templates = pgTable(
  'templates',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    latestVersion: integer('latest_version').notNull().default(1),
    /** The newest upload, if it waits for approval: previews and test keys use it instead of `version`. */
    draftVersion: integer('draft_version'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    deletedAt: time('deleted_at'),
    /** The only LibreOffice version, such as 25.2, that may lay out its documents; null for any. */
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
    schema: jsonb('schema').$type<DataSchema>(),
    example: jsonb('example').$type<JsonObject>(),
    /** What the author stated about the schema, which `schema` already holds; null if nothing. */
    statedSchema: jsonb('stated_schema').$type<DataSchema>(),
    /** The tag syntax; null for versions from before it became configurable. */
    syntax: jsonb('syntax').$type<TemplateSyntax>(),
    /** The names or ids of the templates that its tags include; null if there are none. */
    includes: jsonb('includes').$type<readonly string[]>(),
    /** The invoice mapping, byte for byte as uploaded; null if there is none. */
    invoiceMap: text('invoice_map'),
    createdAt: time('created_at').notNull(),
    /** The API key that uploaded it; null for versions from before it was recorded. */
    uploadedBy: text('uploaded_by'),
    reviewState: text('review_state', { enum: reviewStates }),
    /** Set with the state `approved`. Documents copy it. */
    approval: jsonb('approval').$type<Approval>(),
    /** The steps of its review, oldest first. */
    reviewLog: jsonb('review_log').$type<readonly ReviewEntry[]>().notNull().default([]),
  },
  (table) => [
    primaryKey({ columns: [table.templateId, table.version] }),
    uniqueIndex('template_versions_object').on(table.objectKey),
  ],
);

/** Data that the operator stored to compare engines before an upgrade. */
export const goldenData = pgTable(
  'golden_data',
  {
    templateId: text('template_id')
      .notNull()
      .references(() => templates.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** The JSON as given, byte for byte. */
    data: bytes('data').notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.templateId, table.name] })],
);

/** A thumbnail of a version's first page, made on first request, or the reason why there is none. */
export const templateThumbnails = pgTable(
  'template_thumbnails',
  {
    templateId: text('template_id').notNull(),
    version: integer('version').notNull(),
    png: bytes('png'),
    /** SHA-256 of the thumbnail, hex. */
    checksum: text('checksum'),
    error: jsonb('error').$type<ErrorRecord>(),
    /** SHA-256 of the keys of the included files, hex; null if there are none. */
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
 * Whether Docmill may lay out a version's PDFs itself, because its pages were compared with LibreOffice's. Each set of
 * engines and fonts has its own row, because each is compared anew.
 */
export const layoutProofs = pgTable(
  'layout_proofs',
  {
    templateId: text('template_id').notNull(),
    version: integer('version').notNull(),
    /** Digests of both engines and the fonts, and of the account's files in use; see `proofKeyOf`. */
    layoutKey: text('layout_key').notNull(),
    /** `waiting` for a comparison, or else the engine that lays out the version's PDFs. */
    state: text('state', { enum: ['waiting', 'direct', 'office'] })
      .notNull()
      .default('waiting'),
    /** Why the state is `office`. */
    reasons: jsonb('reasons').$type<readonly string[]>().notNull().default([]),
    /** The document in which a page check found a difference, and its position. */
    documentId: text('document_id'),
    differences: jsonb('differences').$type<readonly PageDifference[]>(),
    /**
     * The number of documents compared before the state became `direct`, and of interactive documents compared since.
     */
    compared: integer('compared').notNull().default(0),
    checked: integer('checked').notNull().default(0),
    /** The number of the account's proofs that waited before this one. */
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

import { index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { accountId } from './accounts.ts';
import { time } from './columns.ts';
import type { templates, templateVersions } from './templates.ts';

type Template = Pick<typeof templates.$inferSelect, 'id' | 'name' | 'version' | 'engine'>;
type Optional = Partial<
  Pick<typeof templates.$inferSelect, 'draftVersion'> & Pick<typeof templateVersions.$inferSelect, 'reviewState'>
>;
type Version = Pick<
  typeof templateVersions.$inferSelect,
  'sizeBytes' | 'checksum' | 'tags' | 'fonts' | 'accessibility' | 'objectKey' | 'includes' | 'syntax'
>;

/** The template that an upload created. */
export interface StoredTemplate extends Template, Version, Optional {
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The response that a repeated request gets: a template, or the text of any other response. */
export type StoredResponse = StoredTemplate | { readonly text: string };

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    accountId: accountId(),
    key: text('key').notNull(),
    operation: text('operation').notNull(),
    requestHash: text('request_hash').notNull(),
    resourceId: text('resource_id').notNull(),
    response: jsonb('response').$type<StoredResponse>(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.key] }),
    index('idempotency_keys_expiring').on(table.expiresAt),
  ],
);

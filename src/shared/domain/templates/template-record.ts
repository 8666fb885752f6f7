import { type SQL, sql } from 'drizzle-orm';

/** The current version of a template, as its account sees it. */
export interface TemplateRecord {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly sizeBytes: number;
  readonly checksum: string;
  readonly tags: readonly string[];
  readonly fonts: readonly string[];
  readonly objectKey: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface TemplateRow extends Record<string, unknown> {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly size_bytes: number;
  readonly checksum: string;
  readonly tags: readonly string[];
  readonly fonts: readonly string[];
  readonly object_key: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What an accepted file was found to be; `objectKey` is where its bytes already lie. */
export interface TemplateContent {
  readonly objectKey: string;
  readonly sizeBytes: number;
  readonly checksum: string;
  readonly tags: readonly string[];
  readonly fonts: readonly string[];
  /** JSON Schema (2020-12) of the data the template wants, and data that fits it. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  readonly example?: unknown;
}

export const selectTemplates: SQL = sql`select t.id, t.name, t.version, t.created_at, t.updated_at,
    v.size_bytes, v.checksum, v.tags, v.fonts, v.object_key
  from templates t join template_versions v on v.template_id = t.id and v.version = t.version`;

export function toTemplateRecord(row: TemplateRow): TemplateRecord {
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    sizeBytes: row.size_bytes,
    checksum: row.checksum,
    tags: row.tags,
    fonts: row.fonts,
    objectKey: row.object_key,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

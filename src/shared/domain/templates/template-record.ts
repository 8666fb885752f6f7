import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { DataSchema } from '../../data-schema.ts';
import type { Executor } from '../../db/client.ts';
import { type AccessibilityNote, type ReviewState, templates, templateVersions } from '../../db/schema/templates.ts';
import type { JsonObject } from '../../json.ts';
import type { TemplateSyntax } from '../../template-syntax.ts';

/** A version of a template, by default the current one, as its account sees it. */
export interface TemplateRecord {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly sizeBytes: number;
  /** SHA-256, hex. */
  readonly checksum: string;
  readonly tags: readonly string[];
  readonly fonts: readonly string[];
  readonly accessibility: readonly AccessibilityNote[];
  readonly objectKey: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The only LibreOffice version, such as 25.2, that lays out its documents; null for any. */
  readonly engine: string | null;
  /** The names or ids of the templates that its tags include; null if there are none. */
  readonly includes: readonly string[] | null;
  /** The tag syntax of the current version; null for a version from before it became configurable. */
  readonly syntax: TemplateSyntax | null;
  /** The newest upload, if it waits for approval; null otherwise. */
  readonly draftVersion: number | null;
  /** Null if the version needs no approval. */
  readonly reviewState: ReviewState | null;
}

/** The properties of an inspected file whose bytes are already stored at `objectKey`. */
export interface TemplateContent {
  readonly objectKey: string;
  readonly sizeBytes: number;
  readonly checksum: string;
  readonly tags: readonly string[];
  readonly fonts: readonly string[];
  /** Obstacles to the accessibility of its documents. Default: none. */
  readonly accessibility?: readonly AccessibilityNote[] | undefined;
  /** JSON Schema (2020-12) of the data that the template expects, and data that matches it. */
  readonly schema?: DataSchema | undefined;
  readonly example?: JsonObject | undefined;
  /** What the author stated about the schema. */
  readonly statedSchema?: DataSchema | undefined;
  /** The text of the invoice mapping. Default: none. */
  readonly invoiceMap?: string | undefined;
  /** The tag syntax. Default: that of versions from before it became configurable. */
  readonly syntax?: TemplateSyntax | null | undefined;
  /** The names or ids of the templates that its tags include. Default: none. */
  readonly includes?: readonly string[] | undefined;
  /** The API key of the upload, which identifies the author. */
  readonly uploadedBy?: string | undefined;
}

const { sizeBytes, checksum, tags, fonts, accessibility, objectKey, syntax, includes, reviewState } = templateVersions;

/**
 * Which version of a template is meant: the `current` one, which live keys use, or the `newest`, which is the draft that
 * waits for approval if there is one. Both are the same in an account without approval.
 */
export type WhichVersion = 'current' | 'newest';

/** The version that previews and test keys use by default. */
const newestVersion: SQL<number> = sql`coalesce(${templates.draftVersion}, ${templates.version})`;

export const versionOf = (which: WhichVersion): SQL =>
  which === 'current' ? sql`${templates.version}` : newestVersion;

/** Selects `TemplateRecord`s. */
export function selectTemplates(db: Executor, condition: SQL | undefined, which: WhichVersion = 'current') {
  const { id, name, draftVersion, createdAt, updatedAt, engine } = templates;
  const { version } = templateVersions;
  return db
    .select({
      id,
      name,
      version,
      sizeBytes,
      checksum,
      tags,
      fonts,
      accessibility,
      objectKey,
      createdAt,
      updatedAt,
      engine,
      includes,
      syntax,
      draftVersion,
      reviewState,
    })
    .from(templates)
    .innerJoin(
      templateVersions,
      and(eq(templateVersions.templateId, templates.id), eq(templateVersions.version, versionOf(which))),
    )
    .where(condition)
    .$dynamic();
}

/** The account's templates that are not deleted. */
export const isOwned = (accountId: string): SQL | undefined =>
  and(eq(templates.accountId, accountId), isNull(templates.deletedAt));

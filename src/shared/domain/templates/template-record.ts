import { and, eq, isNull, type SQL } from 'drizzle-orm';
import type { DataSchema } from '../../data-schema.ts';
import type { Executor } from '../../db/client.ts';
import { type AccessibilityNote, templates, templateVersions } from '../../db/schema/templates.ts';
import type { JsonObject } from '../../json.ts';
import type { TemplateSyntax } from '../../template-syntax.ts';

/** The current version of a template, as its account sees it. */
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
}

const { sizeBytes, checksum, tags, fonts, accessibility, objectKey, syntax, includes } = templateVersions;

/** Selects `TemplateRecord`s. */
export function selectTemplates(db: Executor, condition: SQL | undefined) {
  const { id, name, version, createdAt, updatedAt, engine } = templates;
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
    })
    .from(templates)
    .innerJoin(
      templateVersions,
      and(eq(templateVersions.templateId, templates.id), eq(templateVersions.version, templates.version)),
    )
    .where(condition)
    .$dynamic();
}

/** The account's templates that are not deleted. */
export const isOwned = (accountId: string): SQL | undefined =>
  and(eq(templates.accountId, accountId), isNull(templates.deletedAt));

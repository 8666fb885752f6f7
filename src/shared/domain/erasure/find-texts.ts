import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Executor } from '../../db/client.ts';
import { batches } from '../../db/schema/batches.ts';
import { deliveries } from '../../db/schema/deliveries.ts';
import { generations } from '../../db/schema/documents.ts';
import { goldenData, templates } from '../../db/schema/templates.ts';
import { webhookDeliveries, webhookEvents } from '../../db/schema/webhooks.ts';
import { run } from '../../db/statement.ts';

const pageSize = 2_000;

/** A row with strings that may contain the search term. */
export interface FoundRow {
  readonly id: string;
  readonly accountId: string;
  /** The document that the row belongs to, if any. */
  readonly documentId?: string | undefined;
  readonly texts: readonly unknown[];
}

interface Searched {
  readonly table: PgTable & { readonly id: PgColumn; readonly accountId: PgColumn };
  readonly texts: readonly PgColumn[];
  readonly documentId?: PgColumn;
}

const g = generations;
const d = webhookDeliveries;
const searched = {
  generations: {
    table: g,
    texts: [
      ...[g.filename, g.email, g.callbackUrl, g.pdfOptions, g.renderOptions, g.trace, g.error, g.warnings],
      g.conformance,
    ],
    documentId: g.id,
  },
  deliveries: {
    table: deliveries,
    texts: [deliveries.recipients, deliveries.lastReply],
    documentId: deliveries.documentId,
  },
  webhookEvents: { table: webhookEvents, texts: [webhookEvents.data, webhookEvents.onceKey] },
  webhookDeliveries: { table: d, texts: [d.responseBody, d.error, d.callbackUrl] },
  batches: {
    table: batches,
    texts: [batches.bundleName, batches.callbackUrl, batches.trace, batches.emailBody, batches.error, batches.files],
  },
} as const satisfies Readonly<Record<string, Searched>>;

export type SearchedTable = keyof typeof searched;

/**
 * The rows of a table whose strings contain `clue`, ignoring case; without a clue, all rows. Of one account, or of all.
 * In pages by id, so that no statement takes long.
 */
export async function* findTexts(
  db: Executor,
  name: SearchedTable,
  { accountId, clue }: { readonly accountId: string | undefined; readonly clue: string | undefined },
): AsyncGenerator<FoundRow> {
  const { table, texts, ...more }: Searched = searched[name];
  const { id } = table;
  const all = sql`lower(concat_ws(' ', ${sql.join(
    texts.map((column) => sql`${column}::text`),
    sql`, `,
  )}))`;
  const hasClue: SQL = clue === undefined ? sql`true` : sql`position(${clue}::text in ${all}) > 0`;
  const list = sql`json_build_array(${sql.join([...texts], sql`, `)})`;
  for (let after = ''; ; ) {
    const rows = await run(
      db,
      db
        .select({
          id,
          accountId: table.accountId,
          documentId: more.documentId ?? sql<null>`null`,
          texts: sql<readonly unknown[] | null>`case when ${hasClue} then ${list} end`,
        })
        .from(table)
        .where(and(gt(id, after), accountId === undefined ? undefined : eq(table.accountId, accountId)))
        .orderBy(asc(id))
        .limit(pageSize),
    );
    for (const row of rows)
      if (row.texts !== null)
        yield {
          id: String(row.id),
          accountId: String(row.accountId),
          documentId: row.documentId === null ? undefined : String(row.documentId),
          texts: row.texts,
        };
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = String(last.id);
  }
}

export interface GoldenText {
  readonly templateId: string;
  readonly name: string;
  readonly text: string;
}

/** The operator's data of templates that contains `clue`, one template at a time. */
export async function* findGoldenTexts(
  db: Executor,
  accountId: string | undefined,
  clue: string | undefined,
): AsyncGenerator<GoldenText> {
  const { templateId, name, data } = goldenData;
  const text = sql<string>`convert_from(${data}, 'UTF8')`;
  const owners = await run(db, db.selectDistinct({ templateId }).from(goldenData));
  for (const owner of owners) {
    yield* await run(
      db,
      db
        .select({ templateId, name, text })
        .from(goldenData)
        .innerJoin(templates, eq(templates.id, templateId))
        .where(
          and(
            eq(templateId, owner.templateId),
            accountId === undefined ? undefined : eq(templates.accountId, accountId),
            clue === undefined ? undefined : sql`position(${clue}::text in lower(${text})) > 0`,
          ),
        ),
    );
  }
}

/** Deletes data that the operator stored for a template. */
export async function removeGolden(db: Executor, { templateId, name }: GoldenText): Promise<void> {
  await run(db, db.delete(goldenData).where(and(eq(goldenData.templateId, templateId), eq(goldenData.name, name))));
}

import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { excluded } from '../../db/column-names.ts';
import { goldenData, templates } from '../../db/schema/templates.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';

export interface GoldenData {
  readonly name: string;
  /** JSON. */
  readonly data: Buffer;
}

/** The stored data of a template, by name. */
export function findGoldenData(db: Executor, templateId: string): Promise<readonly GoldenData[]> {
  const { name, data } = goldenData;
  return run(
    db,
    db.select({ name, data }).from(goldenData).where(eq(goldenData.templateId, templateId)).orderBy(asc(name)),
  );
}

/** Stores data for a template, replacing data of the same name. Throws `not_found` if the template does not exist. */
export async function storeGoldenData(db: Executor, templateId: string, { name, data }: GoldenData): Promise<void> {
  // A template that is removed in the meantime takes its data with it.
  const rows = await run(
    db,
    db
      .insert(goldenData)
      .select(
        db
          .select({
            templateId: templates.id,
            name: sql<string>`${name}::text`.as('name'),
            data: sql<Buffer>`${data}::bytea`.as('data'),
            createdAt: sql<Date>`now()`.as('created_at'),
          })
          .from(templates)
          .where(and(eq(templates.id, templateId), isNull(templates.deletedAt))),
      )
      .onConflictDoUpdate({
        target: [goldenData.templateId, goldenData.name],
        set: { data: excluded(goldenData.data) },
      })
      .returning({ id: goldenData.templateId }),
  );
  if (rows.length === 0) throw new AppError('not_found', `There is no template ${templateId}`);
}

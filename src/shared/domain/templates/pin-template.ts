import { and, eq, isNull } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { templates } from '../../db/schema/templates.ts';
import { run } from '../../db/statement.ts';
import { AppError } from '../../errors.ts';
import { changeTime } from './change-template.ts';

export interface TemplatePin {
  readonly templateId: string;
  /** The LibreOffice version that lays out its documents, such as 25.2; null for any. */
  readonly engine: string | null;
}

/** The engine to which a template is pinned; null for any. */
export async function findPin(db: Executor, templateId: string): Promise<string | null> {
  const rows = await run(
    db,
    db.select({ engine: templates.engine }).from(templates).where(eq(templates.id, templateId)),
  );
  return rows[0]?.engine ?? null;
}

/** Pins a template to an engine, or unpins it. Waiting documents follow the pin. Throws `not_found`. */
export async function pinTemplate(db: Executor, { templateId, engine }: TemplatePin): Promise<TemplatePin> {
  const { id } = templates;
  const [row] = await run(
    db,
    db
      .update(templates)
      .set({ engine, updatedAt: changeTime })
      .where(and(eq(id, templateId), isNull(templates.deletedAt)))
      .returning({ templateId: id, engine: templates.engine }),
  );
  if (row === undefined) throw new AppError('not_found', `There is no template ${templateId}`);
  return row;
}

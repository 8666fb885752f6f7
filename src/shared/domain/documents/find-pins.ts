import { and, eq, isNotNull } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { isAnyIdOf, isAnyOf } from '../../db/column-names.ts';
import { generations } from '../../db/schema/documents.ts';
import { templates } from '../../db/schema/templates.ts';
import { run } from '../../db/statement.ts';
import { unfinishedStatuses } from './claim-document.ts';

/** An unfinished PDF and the engine that must lay it out. */
export interface PinnedDocument {
  readonly id: string;
  readonly accountId: string;
  readonly batchId: string | null;
  /** Null if its template is not pinned. */
  readonly engine: string | null;
}

/** The unfinished PDFs among the given documents, with the engine to which their template is currently pinned. */
export function findPins(db: Executor, ids: readonly string[]): Promise<readonly PinnedDocument[]> {
  const { id, accountId, batchId, templateId, format, status } = generations;
  return run(
    db,
    db
      .select({ id, accountId, batchId, engine: templates.engine })
      .from(generations)
      .leftJoin(templates, and(eq(templates.id, templateId), isNotNull(templates.engine)))
      .where(and(isAnyIdOf(id, ids), isAnyOf(status, unfinishedStatuses), eq(format, 'pdf'))),
  );
}

import { and, asc, desc, eq, gt, isNull } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { batches, batchRows } from '../../db/schema/batches.ts';
import { templates, templateVersions } from '../../db/schema/templates.ts';
import { run } from '../../db/statement.ts';
import type { TemplateSyntax } from '../../template-syntax.ts';

/** The current version of a template of any account. */
export interface LiveTemplate {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly version: number;
  readonly objectKey: string;
  /** SHA-256, hex. */
  readonly checksum: string;
  /** The tag syntax; null for a version from before it became configurable. */
  readonly syntax: TemplateSyntax | null;
  /** The engine version to which it is pinned. */
  readonly engine: string | null;
}

interface LivePage {
  /** Default: the templates of all accounts. */
  readonly account?: string | undefined;
  readonly after: string;
  readonly limit: number;
}

/** A page of the templates that are not deleted, ordered by id. For the operator. */
export function listLiveTemplates(db: Executor, { account, after, limit }: LivePage): Promise<readonly LiveTemplate[]> {
  const { id, accountId, name, version, engine } = templates;
  const { objectKey, checksum, syntax } = templateVersions;
  return run(
    db,
    db
      .select({ id, accountId, name, version, objectKey, checksum, syntax, engine })
      .from(templates)
      .innerJoin(templateVersions, and(eq(templateVersions.templateId, id), eq(templateVersions.version, version)))
      .where(
        and(account === undefined ? undefined : eq(accountId, account), isNull(templates.deletedAt), gt(id, after)),
      )
      .orderBy(asc(id))
      .limit(limit),
  );
}

/** The location of a batch row's data. */
export interface RowData {
  readonly batchId: string;
  readonly row: number;
  readonly inputKey: string;
  readonly dataOffset: number;
  readonly dataBytes: number;
}

/** The first rows of the template's latest batch whose input is still stored. */
export async function findLatestRows(db: Executor, templateId: string, limit: number): Promise<readonly RowData[]> {
  const latest = await run(
    db,
    db
      .select({ id: batches.id })
      .from(batches)
      .where(eq(batches.templateId, templateId))
      .orderBy(desc(batches.id))
      .limit(1),
  );
  const [batch] = latest;
  if (batch === undefined) return [];
  const { batchId, row, dataOffset, dataBytes } = batchRows;
  return run(
    db,
    db
      .select({ batchId, row, inputKey: batches.inputKey, dataOffset, dataBytes })
      .from(batchRows)
      .innerJoin(batches, eq(batches.id, batchId))
      .where(eq(batchId, batch.id))
      .orderBy(asc(row))
      .limit(limit),
  );
}

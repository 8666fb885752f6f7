import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';

export interface BatchWarning {
  readonly code: string;
  readonly message: string;
  /** How many rows have it. */
  readonly rows: number;
}

const maxKinds = 20;

/** The warnings of a batch's documents, each once, those of most rows first. */
export async function readWarnings(db: Executor, batchId: string): Promise<readonly BatchWarning[]> {
  const rows = await run<{ code: string; message: string; rows: number }>(
    db,
    sql`select w ->> 'code' as code, w ->> 'message' as message, count(distinct g.id)::int as rows
      from generations g, jsonb_array_elements(g.warnings) w
      where g.batch_id = ${batchId} and g.status = 'succeeded' and jsonb_array_length(g.warnings) > 0
      group by 1, 2 order by 3 desc, 1, 2 limit ${maxKinds}`,
  );
  return rows;
}

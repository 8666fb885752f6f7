import { count, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { layoutProofs } from '../../db/schema/templates.ts';
import { run } from '../../db/statement.ts';
import { notComparedReason } from './layout-proofs.ts';

/** Comparisons of template versions, for all engines and fonts. */
export interface ProofCounts {
  readonly direct: number;
  readonly office: number;
  /** Those that have waited for at least ten minutes. */
  readonly delayed: number;
  /** Those that failed, so that nothing is known about the pages. */
  readonly failed: number;
}

export async function countProofs(db: Executor): Promise<ProofCounts> {
  const { state, requestedAt, reasons } = layoutProofs;
  const isDelayed = sql`${state} = 'waiting' and ${requestedAt} < now() - interval '10 minutes'`;
  const isFailed = sql`${state} = 'office' and ${reasons} ? ${notComparedReason}`;
  const where = (condition: ReturnType<typeof sql>) => sql<number>`(${count()} filter (where ${condition}))::int`;
  const [row] = await run(
    db,
    db
      .select({
        direct: where(sql`${state} = 'direct'`),
        office: where(sql`${state} = 'office'`),
        delayed: where(isDelayed),
        failed: where(isFailed),
      })
      .from(layoutProofs),
  );
  return row ?? { direct: 0, office: 0, delayed: 0, failed: 0 };
}

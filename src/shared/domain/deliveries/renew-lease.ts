import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';

/** Prolongs the time in which nobody else takes the delivery. False when that time is over or another attempt has it. */
export async function renewLease(
  db: Executor,
  attempt: { readonly id: string; readonly attemptToken: string },
  leaseMs: number,
): Promise<boolean> {
  const rows = await run(
    db,
    sql`update deliveries set locked_until = now() + make_interval(secs => ${leaseMs / 1_000})
      where id = ${attempt.id} and status in ('sending', 'transmitting') and attempt_token = ${attempt.attemptToken}
        and locked_until > now() returning id`,
  );
  return rows.length === 1;
}

import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { run } from '../../db/statement.ts';

/**
 * Records that the final dot is about to go out: from here on a lost worker or connection means `unknown`, never another
 * try. False when the attempt was fenced or its lease has ended: the message must not be completed then.
 */
export async function markTransmitting(
  db: Executor,
  attempt: { readonly id: string; readonly attemptToken: string },
  leaseMs: number,
): Promise<boolean> {
  const rows = await run(
    db,
    sql`update deliveries set status = 'transmitting', locked_until = now() + make_interval(secs => ${leaseMs / 1_000})
      where id = ${attempt.id} and status = 'sending' and attempt_token = ${attempt.attemptToken}
        and locked_until > now() returning id`,
  );
  return rows.length === 1;
}

import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import type { EmailRequest } from '../../db/schema/generations.ts';
import { run } from '../../db/statement.ts';
import { newId } from '../../ids.ts';
import type { OutputFormat, ResultLocation } from '../generations/generation-record.ts';
import type { RecipientResult } from './delivery-record.ts';

export interface ClaimedDelivery {
  readonly id: string;
  readonly accountId: string;
  readonly attemptToken: string;
  readonly attempts: number;
  readonly messageId: string;
  readonly recipients: readonly RecipientResult[];
  readonly email: EmailRequest;
  readonly filename: string;
  readonly format: OutputFormat;
  readonly result: ResultLocation | undefined;
}

interface Row extends Record<string, unknown> {
  readonly account_id: string;
  readonly attempts: number;
  readonly message_id: string;
  readonly recipients: readonly RecipientResult[];
  readonly email: EmailRequest;
  readonly batch_body: string | null;
  readonly filename: string;
  readonly format: OutputFormat;
  readonly result_store: 'redis' | 'object' | null;
  readonly result_key: string | null;
  readonly result_bytes: number | null;
  readonly result_checksum: string | null;
}

/**
 * Takes a due delivery for one attempt. A delivery left in `sending` by a dead worker is taken over once its lease ends:
 * its message was never completed. One left in `transmitting` is never taken: `endLostDeliveries` makes it `unknown`.
 */
export async function claimDelivery(db: Executor, id: string, leaseMs: number): Promise<ClaimedDelivery | undefined> {
  const attemptToken = newId('att');
  const [row] = await run<Row>(
    db,
    sql`update deliveries d set status = 'sending', attempts = d.attempts + 1, attempt_token = ${attemptToken},
        locked_until = now() + make_interval(secs => ${leaseMs / 1000})
      from generations g left join batches b on b.id = g.batch_id
      where d.id = ${id} and g.id = d.generation_id and g.email is not null
        and ((d.status = 'pending' and d.next_attempt_at <= now()) or (d.status = 'sending' and d.locked_until < now()))
      returning d.account_id, d.attempts, d.message_id, d.recipients, g.email,
        case when (g.email ->> 'isBodyOfBatch')::boolean then b.email_body end as batch_body, g.filename, g.format, g.result_store, g.result_key,
        g.result_bytes, g.result_checksum`,
  );
  if (row === undefined) return undefined;
  const result =
    row.result_store === null || row.result_key === null
      ? undefined
      : {
          store: row.result_store,
          key: row.result_key,
          sizeBytes: row.result_bytes ?? 0,
          checksum: row.result_checksum ?? '',
        };
  const { account_id: accountId, attempts, recipients, filename, format } = row;
  const email = row.batch_body === null ? row.email : { ...row.email, body: row.batch_body };
  return {
    id,
    accountId,
    attemptToken,
    attempts,
    messageId: row.message_id,
    recipients,
    email,
    filename,
    format,
    result,
  };
}

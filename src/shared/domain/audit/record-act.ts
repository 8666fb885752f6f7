import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { columnList } from '../../db/column-names.ts';
import { apiKeys } from '../../db/schema/accounts.ts';
import { auditLog } from '../../db/schema/audit.ts';
import { templates } from '../../db/schema/templates.ts';
import { execute, jsonbValue } from '../../db/statement.ts';
import { newId } from '../../ids.ts';

/** The operator who makes a change. */
export interface Operator {
  /** The name that the operator gave; undefined if none. */
  readonly actor: string | undefined;
  readonly osUser: string;
  readonly host: string;
}

export interface AdminAct {
  readonly operator: Operator;
  /** The command. */
  readonly action: string;
  /** Undefined if it follows from the key or template that is the target. */
  readonly accountId: string | undefined;
  readonly target: string | undefined;
  /** Ids, numbers and enum values; never names, addresses or secrets. */
  readonly options: Readonly<Record<string, string>>;
  readonly outcome: 'started' | 'succeeded' | 'failed';
  /** Counts from its result. */
  readonly counts?: Readonly<Record<string, number>> | undefined;
  readonly error?: string | undefined;
  readonly startId?: string | undefined;
}

/** When the last act of this process was recorded, in milliseconds. */
let lastMs = 0;

/**
 * The audit log is ordered by id. Each act of a process gets its own millisecond, so that none sorts before an earlier
 * one.
 */
export function newActId(): string {
  lastMs = Math.max(Date.now(), lastMs + 1);
  return newId('aud', lastMs);
}

/** Adds a row to the audit log, in the transaction `db` if it is one, and returns its id. */
export async function recordAct(db: Executor, act: AdminAct, id: string = newActId()): Promise<string> {
  const a = auditLog;
  const target = act.target ?? null;
  const owner = sql`coalesce(${act.accountId ?? null}::text,
    (select ${apiKeys.accountId} from ${apiKeys} where ${apiKeys.id} = ${target}::text),
    (select ${templates.accountId} from ${templates} where ${templates.id} = ${target}::text))`;
  await execute(
    db,
    sql`insert into ${auditLog} ${columnList(
      ...[
        a.id,
        a.actor,
        a.osUser,
        a.host,
        a.action,
        a.accountId,
        a.target,
        a.options,
        a.outcome,
        a.counts,
        a.error,
        a.startId,
      ],
    )} values (${id}, ${act.operator.actor ?? null}, ${act.operator.osUser}, ${act.operator.host}, ${act.action}, ${owner},
      ${target}, ${jsonbValue(act.options)}, ${act.outcome}, ${act.counts === undefined ? null : jsonbValue(act.counts)}, ${act.error ?? null}, ${act.startId ?? null})`,
  );
  return id;
}

import { hash } from 'node:crypto';
import type { Context } from 'hono';
import type { z } from 'zod';
import type { Transaction } from '../../shared/db/client.ts';
import { inTransaction } from '../../shared/db/transaction.ts';
import { type AdminAct, newActId, recordAct } from '../../shared/domain/audit/record-act.ts';
import { recordingFailure } from '../../shared/domain/audit/recording-failure.ts';
import { claimOperatorRequest, rememberOperatorResponse } from '../../shared/domain/operators/operator-requests.ts';
import type { ApiDeps } from '../api-deps.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { parseRequest } from '../http/parse-request.ts';
import { readJson } from '../http/read-json.ts';
import { operatorOf } from './admin-operation.ts';

/** The largest body of an act. */
const maxBytes = 65_536;

/** What the audit log records of an act. */
export interface RecordedAct {
  /** The name of the command. */
  readonly action: string;
  readonly accountId?: string | undefined;
  readonly target?: string | undefined;
  /** Ids, numbers and enum values; never names, addresses or secrets. */
  readonly options?: Readonly<Record<string, string | number | boolean | null | undefined>> | undefined;
}

/** The operator of a request, and what it does, for the audit log. */
export function toAct(
  c: Context<ApiEnv>,
  { action, accountId, target, options = {} }: RecordedAct,
): Omit<AdminAct, 'outcome'> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null);
  return {
    operator: { actor: operatorOf(c).operatorKeyId, osUser: 'api', host: c.get('address') },
    action,
    accountId,
    target: target ?? accountId,
    options: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  };
}

/** Reads and checks a JSON body. */
export async function readInput<T extends z.ZodType>(
  c: Context<ApiEnv>,
  { json }: Pick<ApiDeps, 'json'>,
  schema: T,
): Promise<z.infer<T>> {
  return parseRequest(schema, (await readJson(c, json, maxBytes)).value);
}

/**
 * Carries out an act in one transaction with its entry in the audit log. A repeated request with an `Idempotency-Key`
 * gets the first response. `request` is everything that makes two requests equal. A failure is recorded, too. An act that
 * only starts work has the outcome `started`, and `auditId` is its entry.
 */
export async function performAct<T extends object>(
  c: Context<ApiEnv>,
  { db, config }: Pick<ApiDeps, 'db' | 'config'>,
  recorded: RecordedAct & { readonly request: unknown; readonly outcome?: 'started' | undefined },
  work: (tx: Transaction, auditId: string) => Promise<T>,
  found: (result: T) => Pick<RecordedAct, 'accountId' | 'target'> = () => ({}),
): Promise<T> {
  const { operatorKeyId } = operatorOf(c);
  const key = c.get('idempotencyKey');
  const place = `${operatorKeyId} ${key}`;
  const claim = key !== undefined && {
    key,
    operation: recorded.action,
    requestHash: hash('sha256', JSON.stringify([c.req.path, recorded.request]), 'hex'),
    ttlSeconds: config.RESULT_TTL_SECONDS,
  };
  return await recordingFailure(db, toAct(c, recorded), () =>
    inTransaction(db, async (tx) => {
      const earlier = claim === false ? undefined : await claimOperatorRequest(tx, operatorKeyId, claim);
      if (earlier !== undefined) return JSON.parse(c.get('sealing').open(earlier, place)) as T;
      const auditId = newActId();
      const result = await work(tx, auditId);
      const { outcome = 'succeeded' } = recorded;
      await recordAct(tx, { ...toAct(c, { ...recorded, ...found(result) }), outcome }, auditId);
      if (claim !== false) {
        const response = c.get('sealing').seal(JSON.stringify(result), place);
        await rememberOperatorResponse(tx, operatorKeyId, claim.key, response);
      }
      return result;
    }),
  );
}

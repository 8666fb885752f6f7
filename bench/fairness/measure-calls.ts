import { setTimeout as delay } from 'node:timers/promises';
import { documentOf } from '../harness/documents.ts';
import { Connection, postRequest } from '../http/connection.ts';

export type Format = 'docx' | 'pdf';
export const formats: readonly Format[] = ['docx', 'pdf'];

export interface Caller {
  readonly url: string;
  readonly apiKey: string;
  readonly templateId: string;
}

/** The calls for one format. */
export interface Calls {
  /** A failed call counts with the whole time limit, however soon it was refused. */
  readonly latenciesMs: readonly number[];
  /** Why calls failed. Calls that could not be made in time are included. */
  readonly failures: readonly string[];
}

export interface CallPlan {
  /** Calls for each format. More are made if they take less than `atLeastMs` in total. */
  readonly calls: number;
  readonly atLeastMs: number;
  /** No call starts later than this. */
  readonly withinMs: number;
  /** A call without a response within this time has failed. */
  readonly callLimitMs: number;
}

/** A refused client tries again after the shortest time that `Retry-After` can express. */
const refusedPauseMs = 1_000;
const { data } = documentOf('letter', 3);
const magic: Readonly<Record<Format, string>> = { docx: 'PK', pdf: '%PDF-' };

/** Calls from one client, one after another, alternating between .docx and PDF, each with different data. */
export async function measureCalls(caller: Caller, plan: CallPlan): Promise<Readonly<Record<Format, Calls>>> {
  const begunAt = performance.now();
  const elapsedMs = (): number => performance.now() - begunAt;
  const results = { docx: newCalls(), pdf: newCalls() };
  let connection: Connection | undefined;
  for (let call = 0; call < plan.calls || elapsedMs() < plan.atLeastMs; call++) {
    for (const format of formats) {
      const { latenciesMs, failures } = results[format];
      if (elapsedMs() > plan.withinMs) {
        failures.push('not made in time');
        latenciesMs.push(plan.callLimitMs);
        continue;
      }
      connection ??= await Connection.open(caller.url);
      const startedAt = performance.now();
      const failure = await failureOf(connection, requestOf(caller, format), format, plan.callLimitMs);
      latenciesMs.push(failure === undefined ? performance.now() - startedAt : plan.callLimitMs);
      if (failure === undefined) continue;
      failures.push(failure);
      connection.close();
      connection = undefined;
      await delay(refusedPauseMs);
    }
  }
  connection?.close();
  return results;
}

let references = 0;

function requestOf({ url, apiKey, templateId }: Caller, format: Format): Buffer {
  const body = JSON.stringify({ data: { ...data, reference: `No. ${++references}` }, output: { format } });
  return postRequest({ url, apiKey, body, path: `/v1/templates/${templateId}/generate` });
}

async function failureOf(
  connection: Connection,
  request: Buffer,
  format: Format,
  limitMs: number,
): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${limitMs} ms`)), limitMs);
  });
  try {
    const { status, body } = await Promise.race([connection.send(request), limit]);
    if (status !== 200) return `${status}: ${body.toString('utf8', 0, 200)}`;
    return body.toString('latin1', 0, magic[format].length) === magic[format] ? undefined : 'not a document';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}

function newCalls(): { readonly latenciesMs: number[]; readonly failures: string[] } {
  return { latenciesMs: [], failures: [] };
}

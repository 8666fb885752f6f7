import type { z } from '@hono/zod-openapi';
import { invalidField, parseRequest } from '../http/invalid-request.ts';
import { type BatchOptions, batchEnvelope, batchQuery } from './batch-request.ts';

export interface QueryOptions {
  readonly version: number | undefined;
  readonly isDryRun: boolean;
  /** Of the streamed forms; the JSON form has its options in the body. */
  readonly options: BatchOptions | undefined;
}

/** Reads the query; throws `invalid_request` for what is unknown, not valid, or said in the wrong place. */
export function readQuery(query: Readonly<Record<string, string>>, isStreamed: boolean): QueryOptions {
  const { version, dryRun, ...given } = parseRequest(batchQuery, query);
  const isDryRun = dryRun === true;
  if (isStreamed) return { version, isDryRun, options: toOptions(given) };
  const misplaced = Object.keys(given)[0];
  if (misplaced !== undefined) throw invalidField(misplaced, 'belongs into the body of a JSON request');
  return { version, isDryRun, options: undefined };
}

/** What the JSON form says beside its items. */
export function readEnvelope(envelope: unknown): BatchOptions {
  return parseRequest(batchEnvelope, envelope);
}

function toOptions(given: Omit<z.infer<typeof batchQuery>, 'version' | 'dryRun'>): BatchOptions {
  const { bundle, maxFailures, callbackUrl, emailTo, emailSubject, emailBody, ...output } = given;
  if (emailTo === undefined && (emailSubject ?? emailBody) !== undefined) throw invalidField('emailTo', 'is missing');
  const email = emailTo === undefined ? undefined : { to: [emailTo], subject: emailSubject, body: emailBody };
  return readEnvelope({ items: [], output: { ...output, email }, bundle, maxFailures, callbackUrl });
}

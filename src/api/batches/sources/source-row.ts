import type { ErrorRecord } from '../../../shared/errors.ts';
import { AppError } from '../../../shared/errors.ts';
import { storableText } from '../../../shared/storable-text.ts';

const maxPathLength = 220;

/** A parsed row. An invalid row has a `problem` and fails alone. */
export type SourceRow =
  | { readonly data: Buffer; readonly value: Readonly<Record<string, unknown>>; readonly output?: unknown }
  | { readonly problem: ErrorRecord };

/** A body in one of the three formats: its rows in order, then its options. */
export interface BatchSource {
  readonly rows: AsyncIterable<SourceRow>;
  /** The body without its rows; complete only after the last row. */
  envelope(): unknown;
}

/** `name` may contain a key chosen by the client, so it is truncated and made safe to store. */
export function badRow(name: string, message: string): { readonly problem: ErrorRecord } {
  const path = storableText(name.slice(0, maxPathLength));
  const details = [{ type: 'Field' as const, path, message }];
  return { problem: { code: 'invalid_request', message: `${path}: ${message}`, details } };
}

/** Rejects a whole body; `offset` is its first invalid byte, counted from 0. */
export function malformedStream(problem: string, offset: number): AppError {
  const message = `The request body ${problem} (at byte ${offset})`;
  return new AppError('invalid_request', message, { details: [{ type: 'Message', message, offset }] });
}

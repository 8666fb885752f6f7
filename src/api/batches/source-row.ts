import type { ErrorRecord } from '../../shared/errors.ts';
import { storableText } from '../../shared/storable-text.ts';

const maxPathLength = 220;

/** One row as a parser finds it. A row that is no document's data says so in `problem`, and its batch goes on. */
export type SourceRow =
  | { readonly data: Buffer; readonly value: Readonly<Record<string, unknown>>; readonly output?: unknown }
  | { readonly problem: ErrorRecord };

/** A body in one of the three forms: its rows, one after the other, and what stands around them, known when they ended. */
export interface BatchSource {
  readonly rows: AsyncIterable<SourceRow>;
  /** What the body says beside its rows. */
  envelope(): unknown;
}

/** The path may name a key of the client's: it is cut, and made fit to be stored. */
export function badRow(name: string, message: string): { readonly problem: ErrorRecord } {
  const path = storableText(name.slice(0, maxPathLength));
  const details = [{ type: 'Field' as const, path, message }];
  return { problem: { code: 'invalid_request', message: `${path}: ${message}`, details } };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

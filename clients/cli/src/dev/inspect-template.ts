import type { Docmill } from '@docmill/client';
import type { Problem } from './messages.ts';
import { checksum } from './read-case.ts';

/** What a template says of itself: what differs from Word, and data that fits it. */
export interface Inspection {
  readonly warnings: readonly Problem[];
  readonly example: string | undefined;
}

export interface InspectedTemplate {
  readonly template: Uint8Array<ArrayBuffer>;
  readonly delimiters: string | undefined;
}

const kept = 8;

/**
 * Asks the service for the warnings and the example of a template, once for each version of the file. A key without the scope, or a
 * template with mistakes, gives none: its preview reports what is wrong.
 */
export function createInspector(
  docmill: Docmill,
): (template: InspectedTemplate, signal: AbortSignal) => Promise<Inspection> {
  const known = new Map<string, Inspection>();
  return async ({ template, delimiters }, signal) => {
    const key = `${checksum(template)} ${delimiters ?? ''}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const [oldest] = known.keys();
    if (known.size >= kept && oldest !== undefined) known.delete(oldest);
    try {
      const { warnings, example } = await docmill.templates.validate(
        template,
        { delimiters },
        { signal, maxRetries: 0 },
      );
      const inspection = {
        warnings: warnings.map(({ message, part }) => ({ message, ...(part !== undefined && { part }) })),
        example: example === undefined ? undefined : `${JSON.stringify(example, null, 2)}\n`,
      };
      known.set(key, inspection);
      return inspection;
    } catch {
      signal.throwIfAborted();
      return { warnings: [], example: undefined };
    }
  };
}

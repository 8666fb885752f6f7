import type { Docmill } from '@docmill/client';
import type { Problem } from './messages.ts';
import { checksum } from './read-case.ts';

/** What the service reports about a template: its warnings, and example data that fits it. */
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
 * Fetches the warnings and the example of a template, once per version of the file. Returns none if the key lacks the
 * scope or the template has errors; the preview reports those.
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

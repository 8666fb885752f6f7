import { ApiError, ConnectionError, type Docmill, type ErrorDetail } from '@docmill/client';
import { reportError } from '../report-error.ts';
import { checkJsonObject } from './check-json.ts';
import type { InspectedTemplate, Inspection } from './inspect-template.ts';
import type { Problem } from './messages.ts';
import { FileProblem } from './read-case.ts';

/** The files of a case, as read from disk. */
export interface CaseFiles extends InspectedTemplate {
  readonly data: string;
  readonly output: Readonly<Record<string, unknown>>;
}

export type Outcome =
  | {
      readonly kind: 'shown';
      readonly pdf: Uint8Array;
      readonly pageCount: number;
      readonly durationMs: number;
      readonly warnings: readonly Problem[];
    }
  | { readonly kind: 'failed'; readonly problems: readonly Problem[] }
  /** The service is rate-limited, or unreachable (then without a time). */
  | { readonly kind: 'waiting'; readonly message: string; readonly retryAfterMs: number | undefined };

interface RenderTools {
  readonly docmill: Docmill;
  readonly inspect: (template: InspectedTemplate, signal: AbortSignal) => Promise<Inspection>;
}

/** The page limit of a preview. */
const shownPages = 20;
/** The client makes only one attempt, because every attempt is shown. */
const once = { maxRetries: 0 } as const;
const defaultWaitMs = 5_000;

/** Renders a case as a preview. Every error becomes an outcome, except that of an aborted signal. */
export async function renderCase(tools: RenderTools, files: CaseFiles, signal: AbortSignal): Promise<Outcome> {
  const wrong = checkJsonObject(files.data);
  if (wrong !== undefined) return { kind: 'failed', problems: [wrong] };
  const startedAt = performance.now();
  try {
    const call = { ...once, signal, delimiters: files.delimiters };
    const request = toRequest(files, {});
    const { bytes, pageCount, warningCodes } = await tools.docmill.templates.previewFile(files.template, request, call);
    const durationMs = Math.round(performance.now() - startedAt);
    const warnings = await describeWarnings(tools, files, warningCodes, signal);
    return { kind: 'shown', pdf: bytes, pageCount, durationMs, warnings };
  } catch (error) {
    signal.throwIfAborted();
    return toOutcome(error, signal);
  }
}

/** Sends the data as written, so that numbers keep their digits. */
function toRequest({ data, output }: CaseFiles, changes: Readonly<Record<string, unknown>>): string {
  const rest = JSON.stringify({ output: { ...output, ...changes }, preview: { format: 'pdf', pages: shownPages } });
  return `{"data":${data},${rest.slice(1)}`;
}

/** Describes an error for the page. An error that the document did not cause becomes a single problem. */
function toOutcome(error: unknown, signal: AbortSignal): Outcome {
  if (error instanceof FileProblem) return { kind: 'failed', problems: [{ message: error.message }] };
  if (error instanceof ConnectionError) {
    return { kind: 'waiting', message: `The service cannot be reached. ${error.message}`, retryAfterMs: undefined };
  }
  if (error instanceof ApiError) {
    if (error.status === 429 || error.status === 503) {
      return { kind: 'waiting', message: error.message, retryAfterMs: error.retryAfterMs ?? defaultWaitMs };
    }
    if (error.details.length > 0) return { kind: 'failed', problems: error.details.map(toProblem) };
  }
  const { message, hint } = reportError(error, signal);
  return { kind: 'failed', problems: [{ message, ...(hint !== undefined && { hint }) }] };
}

function toProblem({ message, tag, part, context, path, hint }: ErrorDetail): Problem {
  const place = { tag, part, context, path, hint };
  const known = Object.entries(place).filter(([, value]) => typeof value === 'string' && value !== '');
  return { message, ...Object.fromEntries(known) };
}

/** A preview reports only the codes of its warnings. Their positions are found by requesting them as errors. */
async function describeWarnings(
  { docmill, inspect }: RenderTools,
  files: CaseFiles,
  codes: readonly string[],
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  const call = { ...once, signal, delimiters: files.delimiters };
  const asError: Readonly<Record<string, () => Promise<unknown>>> = {
    missing_value: () => docmill.templates.previewFile(files.template, toRequest(files, { onMissing: 'error' }), call),
    missing_glyph: () =>
      docmill.templates.previewFile(files.template, toRequest(files, { onMissingGlyph: 'error' }), call),
  };
  const ofTemplate = (await inspect(files, signal)).warnings;
  const found: Problem[] = [...ofTemplate];
  for (const code of codes) {
    const details = await detailsOf(asError[code], signal);
    found.push(...(details ?? [{ message: `The service reports a warning: ${code}.` }]));
  }
  return found;
}

async function detailsOf(
  ask: (() => Promise<unknown>) | undefined,
  signal: AbortSignal,
): Promise<readonly Problem[] | undefined> {
  try {
    await ask?.();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError && error.status === 400 && error.details.length > 0)
      return error.details.map(toProblem);
  }
  return undefined;
}

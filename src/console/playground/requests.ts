import type { components, GenerateOptions } from '@docmill/client';
import { isObject } from '../json-editor/is-object.ts';

type Json = Readonly<Record<string, unknown>>;
type PreviewOutput = NonNullable<components['schemas']['PreviewRequest']['output']>;
/** What the form of the options edits: the body of generate without its data. */
export interface RequestOptions {
  readonly output?: Json;
  readonly callbackUrl?: unknown;
}

/** Fields that concern what is done with a document, not how it looks. */
const notPreviewed: ReadonlySet<string> = new Set(['email', 'pdf.password', 'pdf.permissions']);

/** The options without what is empty: an object that a form has opened is not sent. */
export function toBody(
  { output, callbackUrl }: RequestOptions,
  isMailed: boolean,
): { output?: Json; callbackUrl?: string } {
  const { email, ...rest } = output ?? {};
  const kept = prune(isMailed ? { ...rest, email } : rest);
  const own = ofFormat(kept);
  return {
    ...(Object.keys(own).length > 0 && { output: own }),
    ...(typeof callbackUrl === 'string' && callbackUrl !== '' && { callbackUrl }),
  };
}

/** The same for the function of the client, which takes all options in one object. */
export function toGenerateOptions(options: RequestOptions, isMailed: boolean): GenerateOptions {
  const { output, callbackUrl } = toBody(options, isMailed);
  return { ...output, ...(callbackUrl !== undefined && { callbackUrl }) };
}

/** What a preview shows of the options. */
export function toPreviewOutput({ output }: RequestOptions): PreviewOutput {
  const kept = prune(withoutPaths(output ?? {}, notPreviewed));
  return ofFormat(kept) as PreviewOutput;
}

/** Options of the PDF stay in the form while the format is another one; they are not sent. */
function ofFormat(output: Json): Json {
  if (output.format === 'pdf') return output;
  const { pdf: _, ...rest } = output;
  return rest;
}

function withoutPaths(value: Json, paths: ReadonlySet<string>, prefix = ''): Json {
  const entries = Object.entries(value).filter(([key]) => !paths.has(prefix + key));
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, isObject(inner) ? withoutPaths(inner, paths, `${prefix}${key}.`) : inner]),
  );
}

function prune(value: Json): Json {
  const entries = Object.entries(value).map(([key, inner]) => [key, isObject(inner) ? prune(inner) : inner] as const);
  return Object.fromEntries(entries.filter(([, inner]) => !isEmpty(inner)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

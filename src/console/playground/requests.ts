import type { components, GenerateOptions } from '@docmill/client';
import { isObject } from '../json-editor/is-object.ts';

type Json = Readonly<Record<string, unknown>>;
type PreviewOutput = NonNullable<components['schemas']['PreviewRequest']['output']>;
/** The content of the options form: the body of the generate request without its data. */
export interface RequestOptions {
  readonly output?: Json;
  readonly callbackUrl?: unknown;
}

/** Fields that affect how a document is delivered, and files, which previews do not take. */
const notPreviewed: ReadonlySet<string> = new Set([
  'email',
  'pdf.password',
  'pdf.permissions',
  'pdf.attachments',
  'pdf.append',
  'pdf.prepend',
  'pdf.invoice',
]);

/** The options without empty values; an object that was only opened in the form is not sent. */
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

/** The same options for the client's function, which takes all of them in one object. */
export function toGenerateOptions(options: RequestOptions, isMailed: boolean): GenerateOptions {
  const { output, callbackUrl } = toBody(options, isMailed);
  return { ...output, ...(callbackUrl !== undefined && { callbackUrl }) };
}

/** The options that affect a preview. */
export function toPreviewOutput({ output }: RequestOptions): PreviewOutput {
  const kept = prune(withoutPaths(output ?? {}, notPreviewed));
  const { format, ...shown } = ofFormat(kept);
  // An XML has no pages: those of the template are shown.
  const { xml: _, ...rest } = shown as Json;
  return (format === undefined || format === 'xml' ? rest : { format, ...rest }) as PreviewOutput;
}

/** PDF options stay in the form while another format is chosen, but are not sent. */
function ofFormat(output: Json): Json {
  const { pdf, xml, ...rest } = output;
  if (output.format === 'pdf') return pdf === undefined ? rest : { ...rest, pdf };
  return output.format === 'xml' && xml !== undefined ? { ...rest, xml } : rest;
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

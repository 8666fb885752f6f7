import type { Document } from './document.ts';
import { openDocument } from './document.ts';
import type { components } from './generated-api.ts';
import type { FileInput, Http, Pages } from './http.ts';
import { formBody, jsonBody, path } from './http.ts';
import type { CallOptions } from './send-request.ts';

type Schemas = components['schemas'];

/**
 * Which data a template takes, by its id. The file that `docmill types` writes adds to it, so that the compiler checks the data:
 * `declare module '@docmill/client' { interface TemplateTypes { tpl_…: Invoice } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: programs add to it.
export interface TemplateTypes {}

/** The data of a template: its own type where one is known, or any object. */
export type DataOf<Id extends string> = Id extends keyof TemplateTypes ? TemplateTypes[Id] : object;

/** The options of `output` and of the request in one object. */
export interface GenerateOptions extends CallOptions, Omit<Schemas['OutputOptions'], never> {
  /** Version of the template. Default: the current one. */
  readonly version?: number | undefined;
  /** An https address that is notified when the document has succeeded or failed. */
  readonly callbackUrl?: string | null;
}

export interface UploadOptions extends CallOptions {
  /** Refuses a version that breaks data of the one before it. */
  readonly strictSchema?: boolean;
}

type ListQuery = { readonly name?: string; readonly limit?: number };

export type Templates = ReturnType<typeof createTemplates>;

export function createTemplates(http: Http) {
  return {
    /** Fills the template with `data`; returns as soon as the first bytes of the document arrive. Charges one document. */
    generate<Id extends string>(id: Id, data: DataOf<Id>, options: GenerateOptions = {}): Promise<Document> {
      return openDocument(http, path`/v1/templates/${id}/generate`, generateInput(data, options));
    },
    /** Starts a document and returns its job at once: `docmill.jobs.wait(job.id)`. */
    start<Id extends string>(id: Id, data: DataOf<Id>, options: GenerateOptions = {}): Promise<Schemas['Job']> {
      const input = { ...generateInput(data, options), headers: { Prefer: 'respond-async' } };
      return http.json('POST', path`/v1/templates/${id}/generate`, input);
    },
    upload: (name: string, file: FileInput, call?: CallOptions) =>
      http.json<Schemas['UploadedTemplate']>('POST', '/v1/templates', { ...call, body: formBody({ name, file }) }),
    /** Uploads a new version. Not repeated when its answer is lost, because it may have become a version. */
    replace: (id: string, name: string, file: FileInput, { strictSchema, ...call }: UploadOptions = {}) =>
      http.json<Schemas['UploadedTemplate']>('PUT', path`/v1/templates/${id}/content`, {
        ...call,
        query: { strictSchema },
        body: formBody({ name, file }),
        isIdempotent: false,
      }),
    /** All checks of an upload, with `sampleData` also those of generate; stores and charges nothing. */
    validate: (file: FileInput, { sampleData, ...query }: ValidateOptions = {}, call?: CallOptions) =>
      http.json<Schemas['ValidTemplate']>('POST', '/v1/templates/validate', {
        ...call,
        query,
        body: formBody({ file, sampleData: sampleData === undefined ? undefined : JSON.stringify(sampleData) }),
      }),
    /** The first pages of a document, with a watermark; stores and charges nothing. */
    preview: (request: Schemas['PreviewRequest'], call?: CallOptions) =>
      http.bytes('POST', '/v1/templates/preview', { ...call, body: jsonBody(request) }),
    list: (query?: ListQuery, call?: CallOptions): Pages<Schemas['TemplateMetadata']> =>
      http.pages('/v1/templates', query, call),
    get: (id: string, call?: CallOptions) =>
      http.json<Schemas['TemplateDetail']>('GET', path`/v1/templates/${id}`, call),
    rename: (id: string, name: string, call?: CallOptions) =>
      http.json<Schemas['TemplateMetadata']>('PUT', path`/v1/templates/${id}`, { ...call, body: jsonBody({ name }) }),
    delete: (id: string, call?: CallOptions) =>
      http.empty('DELETE', path`/v1/templates/${id}`, { ...call, isDoneWhenAbsent: true }),
    /** The JSON Schema of the data, and data that fits it. */
    schema: (id: string, query?: { version?: number }, call?: CallOptions) =>
      http.json<Schemas['TemplateSchema']>('GET', path`/v1/templates/${id}/schema`, { ...call, query }),
    download: (id: string, call?: CallOptions) => http.bytes('GET', path`/v1/templates/${id}/content`, call),
    versions: (id: string, query?: { limit?: number }, call?: CallOptions) =>
      http.pages<Schemas['TemplateVersion']>(path`/v1/templates/${id}/versions`, query, call),
    downloadVersion: (id: string, version: number, call?: CallOptions) =>
      http.bytes('GET', path`/v1/templates/${id}/versions/${version}/content`, call),
    /** Makes an older version the current one. */
    promote: (id: string, version: number, call?: CallOptions) =>
      http.json<Schemas['TemplateMetadata']>('POST', path`/v1/templates/${id}/versions/${version}/promote`, call),
  };
}

export interface ValidateOptions {
  readonly sampleData?: object | undefined;
  readonly locale?: string;
  readonly timezone?: string;
  readonly onMissing?: 'empty' | 'error' | 'highlight';
}

function generateInput(data: object, options: GenerateOptions) {
  const {
    version,
    callbackUrl,
    signal,
    timeoutMs,
    maxRetries,
    idempotencyKey,
    requestId,
    ifMatch: _,
    ...output
  } = options;
  const call = { signal, timeoutMs, maxRetries, idempotencyKey, requestId };
  return { ...call, query: { version }, body: jsonBody({ data, output, callbackUrl }) };
}

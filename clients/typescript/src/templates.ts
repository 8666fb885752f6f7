import type { Document } from './document.ts';
import { openDocument } from './document.ts';
import { type ApiError, ConflictError, NotFoundError } from './errors.ts';
import type { components } from './generated-api.ts';
import type { FileInput, Http, Pages } from './http.ts';
import { formBody, jsonBody, path } from './http.ts';
import type { CallOptions } from './send-request.ts';

type Schemas = components['schemas'];

/**
 * The data that each template takes, by id and by name. The file that `docmill types` writes extends it, so that the
 * compiler checks the data: `declare module '@docmill/client' { interface TemplateTypes { tpl_…: Invoice;
 * 'invoice.docx': Invoice } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: programs add to it.
export interface TemplateTypes {}

declare const nameOfTemplate: unique symbol;

/** The id of a template whose name the compiler knows; returned by `docmill.templates.find`. */
export type TemplateId<Name extends string> = string & { readonly [nameOfTemplate]: Name };

/** The data of the template with this id or name; the name may lack its ending `.docx`. */
type DataByKey<Key extends string> = Key extends keyof TemplateTypes
  ? TemplateTypes[Key]
  : `${Key}.docx` extends keyof TemplateTypes
    ? TemplateTypes[`${Key}.docx`]
    : object;

/** The data of a template: its own type if one is known by its id or name, or any object. */
export type DataOf<Template extends string> =
  Template extends TemplateId<infer Name> ? DataByKey<Name> : DataByKey<Template>;

/** The properties of T, each of which may also be undefined. */
type Unset<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** The options of `output` and of the request, in one object. */
export interface GenerateOptions extends CallOptions, Unset<Schemas['OutputOptions']> {
  /** Version of the template. Default: the current one. */
  readonly version?: number | undefined;
  /** An https address that is notified when the document has succeeded or failed. */
  readonly callbackUrl?: string | null;
}

/** The syntax of a template's tags. */
export interface SyntaxOptions {
  /** Two delimiters separated by a space, such as `{{ }}`. Default: those of the previous version, or `{ }`. */
  readonly delimiters?: string | undefined;
  /** Whether GUIDs, code and sentences between delimiters are printed as text or filled as tags. */
  readonly unlikelyTags?: 'text' | 'fill' | undefined;
}

/** What the author of a template states about its data. */
export interface SchemaOptions {
  /** A JSON Schema that is merged over that of the tags. Default: that of the previous version; `{}` removes it. */
  readonly schema?: object | undefined;
}

/** How the data of a template becomes an electronic invoice. */
export interface InvoiceMapOptions {
  /** An expression for each business term (`BT-1`). Default: the mapping of the previous version; `{}` removes it. */
  readonly invoiceMap?: object | undefined;
}

export interface UploadOptions extends CallOptions, SyntaxOptions, SchemaOptions, InvoiceMapOptions {}

export interface ReplaceOptions extends UploadOptions {
  /** Refuses a version that breaks data of the previous one. */
  readonly strictSchema?: boolean;
}

export interface PutOptions extends ReplaceOptions {
  /** `*` creates the template; throws ConflictError if one has the name. */
  readonly ifNoneMatch?: '*' | undefined;
}

type ListQuery = { readonly name?: string | undefined; readonly limit?: number | undefined };

export type Templates = ReturnType<typeof createTemplates>;

export function createTemplates(http: Http) {
  return {
    /**
     * Fills the template with this id or name with `data`; returns as soon as the first bytes of the document arrive.
     * Charges one document.
     */
    async generate<Template extends string>(
      template: Template,
      data: DataOf<Template>,
      options: GenerateOptions = {},
    ): Promise<Document> {
      const id = await findId(http, template, options);
      return openDocument(http, path`/v1/templates/${id}/generate`, generateInput(data, options));
    },
    /** Starts a document of the template with this id or name, and returns its job: `docmill.jobs.wait(job.id)`. */
    async start<Template extends string>(
      template: Template,
      data: DataOf<Template>,
      options: GenerateOptions = {},
    ): Promise<Schemas['Job']> {
      const id = await findId(http, template, options);
      return http.json('POST', path`/v1/templates/${id}/jobs`, generateInput(data, options));
    },
    /**
     * Uploads a new template, whatever its name. `name` must end with `.docx`. Throws TemplateError if the template has
     * errors.
     */
    upload: (
      name: string,
      file: FileInput,
      { delimiters, unlikelyTags, schema, invoiceMap, ...call }: UploadOptions = {},
    ) =>
      http.json<Schemas['UploadedTemplate']>('POST', '/v1/templates', {
        ...call,
        body: formBody({
          name,
          delimiters,
          unlikelyTags,
          schema: toText(schema),
          invoiceMap: toText(invoiceMap),
          file,
        }),
      }),
    /**
     * Uploads the template with this name: a new one, or a new version. A file that equals the current version adds
     * none. Throws ConflictError if several templates have the name.
     */
    put: (
      name: string,
      file: FileInput,
      { strictSchema, ifNoneMatch, delimiters, unlikelyTags, schema, invoiceMap, ...call }: PutOptions = {},
    ) =>
      http.json<Schemas['UploadedTemplate']>('PUT', '/v1/templates', {
        ...call,
        query: { strictSchema },
        body: formBody({
          name,
          delimiters,
          unlikelyTags,
          schema: toText(schema),
          invoiceMap: toText(invoiceMap),
          file,
        }),
        ...(ifNoneMatch !== undefined && { headers: { 'If-None-Match': ifNoneMatch }, isIdempotent: false }),
      }),
    /**
     * Uploads a new version of the template with this id. Not retried if the response is lost, because the version may
     * have been created.
     */
    replace: (
      id: string,
      name: string,
      file: FileInput,
      { strictSchema, delimiters, unlikelyTags, schema, invoiceMap, ...call }: ReplaceOptions = {},
    ) =>
      http.json<Schemas['UploadedTemplate']>('PUT', path`/v1/templates/${id}/content`, {
        ...call,
        query: { strictSchema },
        body: formBody({
          name,
          delimiters,
          unlikelyTags,
          schema: toText(schema),
          invoiceMap: toText(invoiceMap),
          file,
        }),
        isIdempotent: false,
      }),
    /** The first page of a version as a small PNG, filled with example data. Default: the current version. */
    thumbnail: (id: string, { version }: { version?: number } = {}, call?: CallOptions) =>
      http.bytes('GET', path`/v1/templates/${id}/thumbnail`, { ...call, query: { version } }),
    /** The last use and health of up to 50 templates, computed from the most recent documents of each in the last days. */
    statistics: (ids: readonly string[], { days }: { days?: number } = {}, call?: CallOptions) =>
      http.json<Schemas['TemplateStatistics'][]>('GET', '/v1/templates/statistics', {
        ...call,
        query: { ids: ids.join(','), days },
      }),
    /** Runs all checks of an upload and, with `sampleData`, those of generate; stores and charges nothing. */
    validate: (
      file: FileInput,
      { sampleData, delimiters, unlikelyTags, schema, invoiceMap, ...query }: ValidateOptions = {},
      call?: CallOptions,
    ) =>
      http.json<Schemas['ValidTemplate']>('POST', '/v1/templates/validate', {
        ...call,
        query,
        body: formBody({
          delimiters,
          unlikelyTags,
          file,
          schema: toText(schema),
          invoiceMap: toText(invoiceMap),
          sampleData: toText(sampleData),
        }),
      }),
    /** The first pages of a document, with a watermark; stores and charges nothing. `templateId` may be a name. */
    async preview(request: Schemas['PreviewRequest'], call?: CallOptions): Promise<Preview> {
      const body = jsonBody({ ...request, templateId: await findId(http, request.templateId, call) });
      return http.read('POST', '/v1/templates/preview', { ...call, body }, readPreview);
    },
    /**
     * Like `preview`, but for a template file. A request given as JSON text is sent unchanged, so that numbers keep
     * their digits.
     */
    previewFile(
      file: FileInput,
      request: FilePreviewRequest | string,
      { delimiters, unlikelyTags, ...call }: CallOptions & SyntaxOptions = {},
    ): Promise<Preview> {
      const text = typeof request === 'string' ? request : JSON.stringify(request);
      const body = formBody({
        delimiters,
        unlikelyTags,
        file,
        request: new Blob([text], { type: 'application/json' }),
      });
      return http.read('POST', '/v1/templates/preview', { ...call, body }, readPreview);
    },
    /** The templates, newest first; `name` matches any part of the name, `limit` is the page size. */
    list: (query?: ListQuery, call?: CallOptions): Pages<Schemas['TemplateMetadata']> =>
      http.pages('/v1/templates', query, call),
    /**
     * The template with this name, which may lack its ending `.docx`. Throws NotFoundError if there is none, and
     * ConflictError if several have the name.
     */
    find: <Name extends string>(name: Name, call?: CallOptions): Promise<FoundTemplate<Name>> =>
      findByName(http, name, call),
    /** The name, version and tags of a template. */
    get: (id: string, call?: CallOptions) =>
      http.json<Schemas['TemplateDetail']>('GET', path`/v1/templates/${id}`, call),
    /**
     * The template with its entity tag, for the `ifMatch` of a change that must not overwrite another one. The tag is
     * empty if a proxy removed it; such a change is rejected.
     */
    getWithEtag: (id: string, call?: CallOptions): Promise<TaggedTemplate> =>
      http.read('GET', path`/v1/templates/${id}`, { ...call }, async (response) => ({
        template: (await response.json()) as Schemas['TemplateDetail'],
        // Proxies that compress a response make its tag weak. It still identifies the state.
        entityTag: (response.headers.get('ETag') ?? '').replace(/^W\//, ''),
      })),
    /** Renames the template; its id and versions stay. */
    rename: (id: string, name: string, call?: CallOptions) =>
      http.json<Schemas['TemplateMetadata']>('PUT', path`/v1/templates/${id}`, { ...call, body: jsonBody({ name }) }),
    /** Deletes the template with all its versions. */
    delete: (id: string, call?: CallOptions) =>
      http.empty('DELETE', path`/v1/templates/${id}`, { ...call, isDoneWhenAbsent: true }),
    /** The JSON Schema of the data, and example data that fits it. */
    schema: (id: string, query?: { version?: number }, call?: CallOptions) =>
      http.json<Schemas['TemplateSchema']>('GET', path`/v1/templates/${id}/schema`, { ...call, query }),
    /** The file of the current version, as uploaded. */
    download: (id: string, call?: CallOptions) => http.bytes('GET', path`/v1/templates/${id}/content`, call),
    /** The versions of a template, newest first. */
    versions: (id: string, query?: { limit?: number }, call?: CallOptions) =>
      http.pages<Schemas['TemplateVersion']>(path`/v1/templates/${id}/versions`, query, call),
    /** The file of one version, as uploaded. */
    downloadVersion: (id: string, version: number, call?: CallOptions) =>
      http.bytes('GET', path`/v1/templates/${id}/versions/${version}/content`, call),
    /** Makes an older version the current one. */
    promote: (id: string, version: number, call?: CallOptions) =>
      http.json<Schemas['TemplateMetadata']>('POST', path`/v1/templates/${id}/versions/${version}/promote`, call),
    /** Where a version is on its way to live keys, and what was said about it. */
    review: (id: string, version: number, call?: CallOptions) =>
      http.json<Schemas['Review']>('GET', path`/v1/templates/${id}/versions/${version}/review`, call),
    /** Submits a draft for review. */
    submit: (id: string, version: number, { comment, ...call }: ReviewOptions = {}) =>
      http.json<Schemas['Review']>('POST', path`/v1/templates/${id}/versions/${version}/submit`, {
        ...call,
        body: jsonBody({ comment }),
      }),
    /** Adds a comment to the review of a version. */
    comment: (id: string, version: number, comment: string, call?: CallOptions) =>
      http.json<Schemas['Review']>('POST', path`/v1/templates/${id}/versions/${version}/comment`, {
        ...call,
        body: jsonBody({ comment }),
      }),
    /** Makes a version in review the live one. Throws PermissionError for the person who uploaded it. */
    approve: (id: string, version: number, { comment, ...call }: ReviewOptions = {}) =>
      http.json<Schemas['Review']>('POST', path`/v1/templates/${id}/versions/${version}/approve`, {
        ...call,
        body: jsonBody({ comment }),
      }),
    /** Refuses a version in review for good. Throws PermissionError for the person who uploaded it. */
    refuse: (id: string, version: number, comment: string, call?: CallOptions) =>
      http.json<Schemas['Review']>('POST', path`/v1/templates/${id}/versions/${version}/refuse`, {
        ...call,
        body: jsonBody({ comment }),
      }),
    /** For emergencies: makes a draft or a version in review the live one without approval. */
    override: (id: string, version: number, reason: string, call?: CallOptions) =>
      http.json<Schemas['Review']>('POST', path`/v1/templates/${id}/versions/${version}/override`, {
        ...call,
        body: jsonBody({ reason }),
      }),
  };
}

export interface ReviewOptions extends CallOptions {
  /** What the others should know. */
  readonly comment?: string | undefined;
}

export type FoundTemplate<Name extends string> = Omit<Schemas['TemplateMetadata'], 'id'> & {
  readonly id: TemplateId<Name>;
};

async function findByName<Name extends string>(
  http: Http,
  named: Name,
  call?: CallOptions,
): Promise<FoundTemplate<Name>> {
  const name = /\.docx$/i.test(named) ? named : `${named}.docx`;
  const found: Schemas['TemplateMetadata'][] = [];
  // The service lists all templates whose name contains this text.
  for await (const template of http.pages<Schemas['TemplateMetadata']>('/v1/templates', { name }, call)) {
    if (template.name === name) found.push(template);
    if (found.length > 1) throw noSingle(ConflictError, 409, `Several templates have the name ${name}: use an id`);
  }
  const [only] = found;
  if (only === undefined) throw noSingle(NotFoundError, 404, `There is no template with the name ${name}`);
  return { ...only, id: only.id as TemplateId<Name> };
}

/** The id of the template that a caller names by its id or by its name. A name is looked up in every call. */
export async function findId(http: Http, template: string, call: CallOptions = {}): Promise<string> {
  if (isId(template)) return template;
  const { signal, timeoutMs, maxRetries, requestId } = call;
  return (await findByName(http, template, { signal, timeoutMs, maxRetries, requestId })).id;
}

/** Names of templates end with `.docx`, and ids do not. */
const isId = (template: string) => /^tpl_/.test(template) && !/\.docx$/i.test(template);

function noSingle(Class: typeof ConflictError | typeof NotFoundError, status: number, message: string): ApiError {
  return new Class(message, { status, code: status === 404 ? 'not_found' : 'conflict', details: [] });
}

export interface ValidateOptions extends SyntaxOptions, SchemaOptions, InvoiceMapOptions {
  readonly sampleData?: object | undefined;
  /** The id of a template; the warnings list what this file would change for its callers. */
  readonly replaces?: string | undefined;
  readonly locale?: string;
  readonly timezone?: string;
  readonly onMissing?: 'empty' | 'error' | 'highlight';
}

/** The input of `preview`, without the stored template. */
export type FilePreviewRequest = Omit<Schemas['PreviewRequest'], 'templateId' | 'version'>;

export interface Preview {
  /** A PDF, or a page as PNG. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** The page count of the whole document. */
  readonly pageCount: number;
  readonly warningCodes: readonly string[];
}

export interface TaggedTemplate {
  readonly template: Schemas['TemplateDetail'];
  readonly entityTag: string;
}

async function readPreview(response: Response): Promise<Preview> {
  const { headers } = response;
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    contentType: headers.get('Content-Type') ?? '',
    pageCount: Number(headers.get('Page-Count') ?? 0),
    warningCodes: (headers.get('Warning-Codes') ?? '').split(', ').filter(Boolean),
  };
}

const toText = (value: object | undefined) => (value === undefined ? undefined : JSON.stringify(value));

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

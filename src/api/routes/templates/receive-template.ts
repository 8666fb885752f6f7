import { hash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { DataSchema } from '../../../shared/data-schema.ts';
import { anyLayoutKey, requestProof } from '../../../shared/domain/templates/layout-proofs.ts';
import { resolveIncludes } from '../../../shared/domain/templates/resolve-includes.ts';
import type { TemplateContent, TemplateRecord } from '../../../shared/domain/templates/template-record.ts';
import { newId } from '../../../shared/ids.ts';
import type { JobPayload } from '../../../shared/queue/contracts.ts';
import { type InspectionReply, inspectionReply } from '../../../shared/queue/document-reply.ts';
import { storableText } from '../../../shared/storable-text.ts';
import { docxType } from '../../../shared/storage/media-types.ts';
import type { TemplateSyntax } from '../../../shared/template-syntax.ts';
import type { ApiDeps } from '../../api-deps.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { openBody } from '../../http/decode-body.ts';
import { parseRequest } from '../../http/parse-request.ts';
import { maxJsonBytes } from '../../http/read-json.ts';
import { maxTemplateBytes, readUpload, requireFile, type Upload } from '../../http/read-upload.ts';
import { maxStatedBytes, parseStatedSchema } from '../../stated-schema/parse-stated-schema.ts';
import { binary } from '../common-schemas.ts';
import { templateName } from './template-resource.ts';
import { type SyntaxFields, syntaxFields } from './template-syntax-resource.ts';

const uploadTtlSeconds = 300;
const maxMapBytes = 64 * 1024;
const form = z.object({ name: templateName, ...syntaxFields });
const uploadLimits = {
  fileBytes: maxTemplateBytes,
  json: { schema: maxStatedBytes, invoiceMap: maxMapBytes },
} as const;
const validationLimits = { ...uploadLimits, json: { ...uploadLimits.json, sampleData: maxJsonBytes } } as const;

/** The form of upload and re-upload, for the OpenAPI document; `readUpload` applies the same rules as it streams in. */
export const templateForm = form
  .extend({
    file: binary('The Word template, at most 10 MB.'),
    schema: z.string().optional().openapi({
      description:
        'JSON Schema (2020-12) for what the tags do not show about `data`; a field or a file, at most 64 KB. It is merged over the schema of the tags and stored with the version. A re-upload without it keeps it; `{}` removes it. Of the keywords, `type`, `properties`, `required`, `additionalProperties` (a schema), `items`, `anyOf`, `enum`, `format`, `contentEncoding`, `contentMediaType`, `title`, `description` and `examples` are allowed.',
      example: '{"properties":{"paid":{"type":"boolean"}}}',
    }),
    invoiceMap: z.string().optional().openapi({
      description:
        'JSON with an expression for each business term of the electronic invoice (`BT-1`, `BG-25` …); a field or a file, at most 64 KB. It is checked and stored with the version. A re-upload without it keeps it; `{}` removes it.',
      example: '{}',
    }),
  })
  .openapi('TemplateUpload');

export const strictSchemaQuery = z
  .enum(['true', 'false'], 'must be true or false')
  .optional()
  .openapi({ description: 'Reject a version that is incompatible with the data of the current one.' });

export interface ReceivedFile {
  readonly file: Buffer;
  /** The tag syntax, as far as the form specifies it. */
  readonly syntax: SyntaxFields;
  /** The schema that the author states; null to remove the stated schema, undefined to keep it. */
  readonly stated: DataSchema | null | undefined;
  /** The invoice mapping; null to remove it, undefined to keep it. */
  readonly invoiceMap: string | null | undefined;
}

export interface ReceivedTemplate extends ReceivedFile {
  readonly name: string;
  readonly checksum: string;
  readonly requestHash: string;
}

/** Reads the form and checks everything that does not require opening the file. */
export async function readTemplateForm(c: Context<ApiEnv>): Promise<ReceivedTemplate> {
  const upload = await readUpload(
    { type: c.req.header('Content-Type'), body: openBody(c) },
    c.get('bodyLease'),
    uploadLimits,
  );
  const { name, ...syntax } = parseRequest(form, textOf(upload));
  const file = requireFile(upload.file);
  const stated = readStated(upload);
  const invoiceMap = readMap(upload);
  const checksum = hash('sha256', file, 'hex');
  const requestHash = hash('sha256', `${name}\0${checksum}${identityOf({ syntax, stated, invoiceMap })}`, 'hex');
  return { name, file, syntax, stated, invoiceMap, checksum, requestHash };
}

/** Reads the form of validation: its name is optional, and it may contain sample data. */
export async function readValidationForm(c: Context<ApiEnv>): Promise<ReceivedFile & { sampleData?: Buffer }> {
  const { file, sampleData, schema, invoiceMap, ...text } = await readUpload(
    { type: c.req.header('Content-Type'), body: openBody(c) },
    c.get('bodyLease'),
    validationLimits,
  );
  const { name: _name, ...syntax } = parseRequest(form.partial(), text);
  const stated = readStated({ schema });
  const mapping = { invoiceMap: readMap({ invoiceMap }) };
  return { file: requireFile(file), syntax, stated, ...mapping, ...(sampleData !== undefined && { sampleData }) };
}

const textOf = ({ name, delimiters, unlikelyTags }: Upload) => ({ name, delimiters, unlikelyTags });

function readStated({ schema }: { readonly schema?: Buffer | undefined }): DataSchema | null | undefined {
  return schema === undefined ? undefined : (parseStatedSchema(schema) ?? null);
}

/** A worker checks the mapping. An empty object removes it. */
function readMap({ invoiceMap }: { readonly invoiceMap?: Buffer | undefined }): string | null | undefined {
  const text = invoiceMap?.toString('utf8');
  return text !== undefined && /^\s*\{\s*\}\s*$/.test(text) ? null : text && storableText(text);
}

/**
 * The part of a request's hash that comes from the optional fields. It is empty without them, so that the hash matches
 * that of earlier releases.
 */
export function identityOf({
  syntax,
  stated,
  invoiceMap,
}: Pick<ReceivedFile, 'syntax' | 'stated'> & Partial<Pick<ReceivedFile, 'invoiceMap'>>): string {
  const { delimiters, unlikelyTags } = syntax;
  const hasSyntax = delimiters !== undefined || unlikelyTags !== undefined;
  const ofMap = invoiceMap === undefined ? '' : `\0map ${JSON.stringify(invoiceMap)}`;
  if (!hasSyntax && stated === undefined) return ofMap;
  return `\0${JSON.stringify([delimiters, unlikelyTags, ...(stated === undefined ? [] : [stated])])}${ofMap}`;
}

/** Language, time zone and treatment of missing values, as in generate. */
export type SampleOptions = NonNullable<JobPayload<'inspect'>['sampleOptions']>;

/** Raw JSON to fill a template with; may refer to assets of the account. */
export interface SampleData {
  readonly data: Buffer;
  readonly options: SampleOptions;
}

/**
 * Has a worker open the file, read its tags and fill it with the sample data, if any; throws the errors it reports. The
 * upload is removed from Redis afterwards, or expires within minutes after a crash.
 */
export async function requestInspection(
  deps: ApiDeps,
  accountId: string,
  {
    file,
    syntax,
    invoiceMap,
  }: { readonly file: Buffer; readonly syntax: TemplateSyntax; readonly invoiceMap?: string | null | undefined },
  sample?: SampleData,
): Promise<InspectionReply> {
  const { queues, results, trace } = deps;
  const transient = deps.transient.of(accountId);
  const uploadId = newId('upl');
  try {
    return await results.awaitInspection(uploadId, inspectionReply, async () => {
      if (sample !== undefined) await transient.put('data', uploadId, sample.data, uploadTtlSeconds);
      await transient.put('upload', uploadId, file, uploadTtlSeconds);
      const sampleFields = sample === undefined ? {} : { hasSample: true, sampleOptions: sample.options };
      const mapping = typeof invoiceMap === 'string' ? { invoiceMap } : {};
      const payload = { uploadId, accountId, replyTo: results.channel, trace, syntax, ...sampleFields, ...mapping };
      await queues.add('inspect', uploadId, payload);
    });
  } finally {
    await transient.remove('upload', uploadId).catch(() => undefined);
    if (sample !== undefined) await transient.remove('data', uploadId).catch(() => undefined);
  }
}

interface StoreInput {
  readonly accountId: string;
  readonly templateId: string;
  /** The API key of the upload. */
  readonly uploadedBy: string;
  readonly syntax: TemplateSyntax;
  readonly stated: DataSchema | undefined;
  readonly invoiceMap: string | undefined;
}

/** Stores the file under a new key; the caller removes it if the row is not written. */
export async function storeTemplate(
  deps: ApiDeps,
  received: ReceivedTemplate,
  inspection: InspectionReply,
  { accountId, templateId, uploadedBy, syntax, stated, invoiceMap }: StoreInput,
): Promise<TemplateContent> {
  const { includes = [] } = inspection;
  // The worker has resolved them too, but does not know which template they must not include.
  await resolveIncludes(deps.db, { accountId, references: includes, templateId, withDrafts: true });
  const objectKey = `templates/${accountId}/${templateId}/${newId('upl')}.docx`;
  await deps.objects.put(objectKey, received.file, docxType);
  // failpoint: after-object-put-before-row
  return {
    objectKey,
    sizeBytes: received.file.length,
    checksum: received.checksum,
    tags: inspection.tags,
    fonts: inspection.fonts,
    accessibility: inspection.accessibility,
    schema: inspection.schema,
    example: inspection.example,
    statedSchema: stated,
    invoiceMap,
    syntax,
    includes,
    uploadedBy,
  };
}

/**
 * Requests a comparison of the version's pages, so that even its first PDF can be laid out directly. A failure is
 * harmless, because the template is already stored and its first PDF requests the comparison.
 */
export async function requestUploadedProof(
  { config, db, logger }: ApiDeps,
  accountId: string,
  { id, version }: TemplateRecord,
): Promise<void> {
  if (config.DIRECT_PDF === 'off') return;
  const of = { templateId: id, version, layoutKey: anyLayoutKey };
  await requestProof(db, accountId, of).catch((error: unknown) =>
    logger.warn({ err: error, templateId: id }, 'the comparison of an uploaded template could not be requested'),
  );
}

import { and, eq, lt, sql } from 'drizzle-orm';
import { aliased } from '../../db/aliased.ts';
import type { Database, Executor } from '../../db/client.ts';
import { coalesce } from '../../db/coalesce.ts';
import { boundsOf, isAnyIdOf, isAnyOf, isOneOf, names, texts } from '../../db/column-names.ts';
import { fixedStatement } from '../../db/fixed-statement.ts';
import { bool, float8, json, nullable, type RowOf, rowOf, text } from '../../db/row.ts';
import { dictionaries } from '../../db/schema/dictionaries.ts';
import { generations, templateFailures } from '../../db/schema/documents.ts';
import { fonts } from '../../db/schema/fonts.ts';
import { layoutProofs, templates, templateVersions } from '../../db/schema/templates.ts';
import { webhookEndpoints } from '../../db/schema/webhooks.ts';
import { query, run } from '../../db/statement.ts';
import { newId } from '../../ids.ts';
import { earlierSyntax } from '../../template-syntax.ts';
import type { ClaimedDocument, ClaimedFont, ClaimedProofState } from './document-record.ts';
import { traceOf } from './trace-of.ts';

/**
 * Parameter for statements that find documents by several ids. With literals, a generic plan made while the table was
 * small might use the partial index of unfinished rows, which would read thousands of rows for a few ids.
 */
export const unfinishedStatuses = ['queued', 'running'] as const;

/** For statements that find one document. */
export const isUnfinished = isOneOf(generations.status, ...unfinishedStatuses);

const g = aliased(generations, 'g');
const e = aliased(webhookEndpoints, 'e');
const f = aliased(templateFailures, 'f');
const n = aliased(fonts, 'n');
const d = aliased(dictionaries, 'd');
const t = aliased(templates, 't');
const p = aliased(layoutProofs, 'p');
const v = aliased(templateVersions, 'v');
const set = names(generations);

const claimRow = rowOf({
  id: generations.id,
  account_id: generations.accountId,
  template_id: generations.templateId,
  template_version: generations.templateVersion,
  template_object_key: generations.templateObjectKey,
  template_checksum: generations.templateChecksum,
  includes: generations.includes,
  format: generations.format,
  filename: generations.filename,
  pdf_options: generations.pdfOptions,
  render_options: generations.renderOptions,
  email: generations.email,
  is_kept: generations.isKept,
  is_test: generations.isTest,
  data_checksum: generations.dataChecksum,
  api_key_id: generations.apiKeyId,
  batch_id: generations.batchId,
  trace: generations.trace,
  document_epoch: float8,
  attempts: generations.attempts,
  attempt_token: generations.attemptToken,
  queue_ms: float8,
  emits_events: bool,
  suspended_ms: nullable(float8),
  template_syntax: templateVersions.syntax,
  dictionary_id: nullable(text),
  account_fonts: nullable(json<readonly ClaimedFont[]>()),
  layout_proofs: nullable(json<readonly ClaimedProofState[]>()),
  invoice_map: nullable(text),
});

interface ClaimValues extends Record<string, unknown> {
  readonly ids: readonly string[];
  readonly tokens: readonly string[];
  readonly engine: string | null;
  readonly lowest: string;
  readonly highest: string;
}

/** Failures to fill a template also suspend its .docx documents; others suspend only PDFs. */
const renderFailures = ['render_limit', 'internal'] as const;

const claimStatement = fixedStatement<ClaimValues>(
  ({
    ids,
    tokens,
    engine,
    lowest,
    highest,
  }) => sql`update ${generations} ${g} set ${set.status} = 'running', ${set.attempts} = ${g.attempts} + 1,
        ${set.attemptToken} = c.token, ${set.startedAt} = coalesce(${g.startedAt}, now())
      from unnest(${texts(ids)}, ${texts(tokens)}) as c (id, token),
        (select set_config('synchronous_commit', 'off', true)) as no_flush
      where ${isAnyIdOf(g.id, ids, { lowest, highest })} and ${g.id} = c.id and ${isAnyOf(g.status, unfinishedStatuses)}
        and not exists (select 1 from ${templates} ${t} where ${t.id} = ${g.templateId} and ${t.engine} <> ${engine}::text
          and ${g.format} = 'pdf')
      returning ${g.id}, ${g.accountId}, ${g.templateId}, ${g.templateVersion}, ${g.templateObjectKey},
        ${g.templateChecksum}, ${g.includes}, ${g.format}, ${g.filename}, ${g.pdfOptions}, ${g.renderOptions}, ${g.email}, ${g.isKept}, ${g.isTest},
        ${g.dataChecksum}, ${g.attempts}, ${g.attemptToken}, ${g.apiKeyId}, ${g.batchId}, ${traceOf(g)} as trace,
        floor(extract(epoch from coalesce(${g.documentDate}, ${g.acceptedAt})))::float as document_epoch,
        round(extract(epoch from now() - ${g.acceptedAt}) * 1000)::float as queue_ms,
        ${g.callbackUrl} is not null or exists (
          select 1 from ${webhookEndpoints} ${e} where ${e.accountId} = ${g.accountId}) as emits_events,
        (select extract(epoch from coalesce(${f.suspendedUntil}, now()) - now()) * 1000 from ${templateFailures} ${f}
          where ${f.templateId} = ${g.templateId} and ${f.templateVersion} = ${g.templateVersion}
            and (${g.format} = 'pdf' or ${isOneOf(f.reason, ...renderFailures)}))::float as suspended_ms,
        (select ${v.syntax} from ${templateVersions} ${v} where ${v.objectKey} = ${g.templateObjectKey}) as template_syntax,
        (select ${d.id} from ${dictionaries} ${d} where ${d.accountId} = ${g.accountId} and ${d.createdAt} <= ${g.acceptedAt}
          and (${d.replacedAt} is null or ${d.replacedAt} > ${g.acceptedAt}) limit 1) as dictionary_id,
        case when ${g.format} = 'pdf' then (select json_agg(json_build_object('id', ${n.id}, 'familyNames', ${n.familyNames},
            'fullName', ${n.fullName}, 'style', ${n.style}, 'objectKey', ${n.objectKey}, 'checksum', ${n.objectChecksum},
            'uploadedChecksum', ${n.checksum}, 'sizeBytes', ${n.sizeBytes}) order by ${n.id})
          from ${fonts} ${n} where ${n.accountId} = ${g.accountId} and ${n.updatedAt} <= ${g.acceptedAt}
            and (${n.deletedAt} is null or ${n.deletedAt} > ${g.acceptedAt})) end as account_fonts,
        case when ${g.format} = 'pdf' then (select json_agg(json_build_object('layoutKey', ${p.layoutKey}, 'state', ${p.state},
            'checked', ${p.checked}, 'reason', ${p.reasons} ->> 0))
          from ${layoutProofs} ${p} where ${p.templateId} = ${g.templateId} and ${p.version} = ${g.templateVersion})
          end as layout_proofs,
        case when ${g.pdfOptions} -> 'invoice' is not null then (select ${v.invoiceMap} from ${templateVersions} ${v}
          where ${v.objectKey} = ${g.templateObjectKey}) end as invoice_map`,
);

/**
 * Claims an unfinished document for one attempt. The new token fences every earlier attempt: only its holder can finish
 * the row. Undefined if the document has finished, or if it is a PDF whose template is pinned to an engine other than
 * `engine`.
 */
export async function claimDocument(db: Executor, id: string, engine?: string): Promise<ClaimedDocument | undefined> {
  const [claim] = await claimDocuments(db, [id], engine);
  return claim;
}

/**
 * Like `claimDocument`, for several distinct documents; finished ones are omitted. Locks them by id, as settling does.
 * The commit is asynchronous: the claim precedes its settlement in the log, and a claim that PostgreSQL loses in a
 * crash (`isClaimLost`) is repeated.
 */
export async function claimDocuments(
  db: Executor,
  ids: readonly string[],
  engine?: string,
): Promise<readonly ClaimedDocument[]> {
  const sorted = ids.toSorted();
  const values = { ids: sorted, tokens: ids.map(() => newId('att')), engine: engine ?? null, ...boundsOf(ids) };
  const rows = await query(db, claimRow, claimStatement(values));
  return rows.map(toClaim);
}

/** False if the document has ended or another attempt has claimed it. */
export async function isClaimCurrent(db: Executor, { id, attemptToken }: ClaimedDocument): Promise<boolean> {
  const rows = await run(
    db,
    db
      .select({ id: generations.id })
      .from(generations)
      .where(and(eq(generations.id, id), eq(generations.attemptToken, attemptToken), isUnfinished)),
  );
  return rows.length === 1;
}

/** True if the database has lost this claim and the document is still unfinished. */
export async function isClaimLost(db: Executor, { id, attempts }: ClaimedDocument): Promise<boolean> {
  const rows = await run(
    db,
    db
      .select({ id: generations.id })
      .from(generations)
      .where(and(eq(generations.id, id), isUnfinished, lt(generations.attempts, attempts))),
  );
  return rows.length === 1;
}

function toClaim(row: RowOf<typeof claimRow>): ClaimedDocument {
  return {
    id: row.id,
    accountId: row.account_id,
    templateId: row.template_id,
    templateVersion: row.template_version,
    templateObjectKey: row.template_object_key,
    templateChecksum: row.template_checksum,
    templateSyntax: row.template_syntax ?? earlierSyntax,
    includes: row.includes ?? [],
    format: row.format,
    filename: row.filename,
    pdfOptions: row.pdf_options ?? undefined,
    renderOptions: row.render_options ?? undefined,
    email: row.email ?? undefined,
    isKept: row.is_kept,
    isTest: row.is_test,
    dataChecksum: row.data_checksum,
    documentDate: new Date(row.document_epoch * 1_000),
    keyId: row.api_key_id ?? undefined,
    batchId: row.batch_id ?? undefined,
    trace: row.trace ?? undefined,
    attempts: row.attempts,
    attemptToken: row.attempt_token ?? '',
    queueMs: row.queue_ms,
    emitsEvents: row.emits_events,
    isMailed: row.email !== null,
    templateSuspendedMs: row.suspended_ms ?? undefined,
    dictionaryId: row.dictionary_id ?? undefined,
    accountFonts: row.account_fonts ?? [],
    layoutProofs: row.layout_proofs ?? [],
    invoiceMap: row.invoice_map ?? undefined,
    claimedAtMs: performance.now(),
  };
}

export type Claim = (id: string) => Promise<ClaimedDocument | undefined>;

const maxGroup = 64;

/**
 * Like `claimDocument`, with group commit: documents that arrive during a claim are claimed together in the next
 * statement.
 */
export function createClaimer(
  db: Database,
  maxWaitMs: number,
  engine?: string,
  observe?: (documents: number) => void,
): Claim {
  return coalesce<string, ClaimedDocument | undefined>({
    keyOf: (id) => id,
    processTogether: async (ids) => {
      const claims = new Map((await claimDocuments(db, [...new Set(ids)], engine)).map((claim) => [claim.id, claim]));
      // If a group contains a document twice, the second claim runs alone afterwards and fences the first.
      return ids.map((id, index) => (ids.indexOf(id) === index ? claims.get(id) : undefined));
    },
    processOne: (id) => claimDocument(db, id, engine),
    maxItems: maxGroup,
    maxWaitMs,
    observe,
  });
}

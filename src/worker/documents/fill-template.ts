import { hash } from 'node:crypto';
import { toDocumentName } from '../../shared/document-name.ts';
import type { ClaimedDocument, DocumentWarning } from '../../shared/domain/documents/document-record.ts';
import { required, type WorkerDeps } from '../deps.ts';
import type { RenderOptions, RenderRequest, RenderResult } from '../docx/sandbox/docx-pool.ts';
import type { JobRun } from '../job-run.ts';
import { type DocumentWithFonts, embedFonts, groupFonts } from './account-fonts.ts';

/** Everything that the pages of a document depend on besides its template and data. */
export type PrintedDocument = Pick<
  ClaimedDocument,
  | 'accountId'
  | 'templateObjectKey'
  | 'templateSyntax'
  | 'includes'
  | 'filename'
  | 'pdfOptions'
  | 'renderOptions'
  | 'documentDate'
  | 'dictionaryId'
  | 'accountFonts'
> &
  Partial<Pick<ClaimedDocument, 'isTest'>>;

/** What a document is made of: its template, its data as JSON, the words of the dictionary, and included templates. */
export type Content = Pick<RenderRequest, 'template' | 'data' | 'accountWords' | 'loadIncludes'> & {
  /** Keys of the data that something else reads. */
  readonly keysReadElsewhere?: readonly string[] | undefined;
};

/** Fills the template in a sandboxed process. Throws `AppError`. */
export function fillTemplate(
  deps: WorkerDeps,
  job: JobRun,
  document: PrintedDocument,
  { keysReadElsewhere, ...content }: Content,
  output: Pick<RenderRequest, 'target' | 'accountFonts'>,
): Promise<RenderResult> {
  const { accountId } = document;
  return required(deps.docx, 'docx').render({
    account: accountId,
    addWorkMs: job.addWorkMs,
    templateKey: templateKeyOf(document),
    ...content,
    ...output,
    options: { ...toRenderOptions(document), keysReadElsewhere },
    // For .docx: SVG pictures, which are converted to bitmaps.
    fonts: deps.fonts?.coverage(),
    loadAssets: (names) => deps.loadAssets(accountId, names),
  });
}

/** A filled template with the account's fonts, ready to be laid out. */
export interface FilledDocument extends DocumentWithFonts {
  /** Whether it has fields that depend on its pages. */
  readonly hasPageFields: boolean;
  readonly renderMs: number;
  /** The warnings of filling it and of embedding its fonts. */
  readonly warnings: readonly DocumentWarning[];
}

/** Fills the template for a PDF, and embeds the account's fonts that it uses. Throws `AppError`. */
export async function fillForPdf(
  deps: WorkerDeps,
  job: JobRun,
  document: PrintedDocument,
  content: Content,
): Promise<FilledDocument> {
  const accountFonts = groupFonts(document, await deps.loadCoverage(document.accountFonts));
  const output = { target: 'pdf', accountFonts: accountFonts.families } as const;
  const rendered = await job.stages.time('render', () => fillTemplate(deps, job, document, content, output));
  const filled = await embedFonts(deps.loadFont, accountFonts, rendered);
  const { hasPageFields, renderMs } = rendered;
  return { ...filled, hasPageFields, renderMs, warnings: [...rendered.warnings, ...filled.warnings] };
}

/** Identifies the file of a template, the files that it includes, and the account's dictionary. */
function templateKeyOf({ templateObjectKey, includes, dictionaryId }: PrintedDocument): string {
  const parts = includes.map(({ reference, objectKey }) => `${reference}\0${objectKey}`).sort();
  const ofIncludes = parts.length === 0 ? [] : [hash('sha256', parts.join('\0'), 'hex')];
  return [templateObjectKey, ...ofIncludes, ...(dictionaryId === undefined ? [] : [dictionaryId])].join(' ');
}

/** The options of a request, with the document date and the template syntax. */
function toRenderOptions(document: PrintedDocument): RenderOptions {
  const { renderOptions, documentDate, templateSyntax, isTest, filename } = document;
  const date = documentDate.toISOString();
  const fileName = toDocumentName(filename);
  return { ...renderOptions, fileName, syntax: templateSyntax, documentDate: date, hasTestWatermark: isTest };
}

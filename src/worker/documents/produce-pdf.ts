import type { DocumentEngine, DocumentWarning } from '../../shared/domain/documents/document-record.ts';
import { required, type WorkerDeps } from '../deps.ts';
import type { LoadIncludes } from '../docx/sandbox/docx-pool.ts';
import { type WatermarkWord, watermarkPdf } from '../pdf/watermark/watermark-pdf.ts';
import { type DocumentWithFonts, embedFonts, groupFonts } from './account-fonts.ts';
import { type CheckedConformance, checkConformance } from './check-conformance.ts';
import type { ConversionHistory } from './conversion-history.ts';
import { convertDocument } from './convert-document.ts';
import type { DirectDocument } from './lay-out-directly.ts';
import { includesLoader } from './load-includes.ts';
import type { PrintedDocument } from './printed-document.ts';
import { protectDocument } from './protect-document.ts';
import { toRenderOptions } from './render-options.ts';
import { templateKeyOf } from './template-key.ts';

/** The template and the data as bytes. */
export interface PdfInput {
  load(): Promise<readonly [template: Uint8Array, data: Buffer]>;
  /** Default: loads the versions resolved for the document. */
  readonly loadIncludes?: LoadIncludes | undefined;
}

export interface ProducedPdf {
  readonly bytes: Uint8Array;
  readonly pages: number;
  readonly engine: DocumentEngine;
  readonly warnings: readonly DocumentWarning[];
  readonly conformance: CheckedConformance['conformance'];
  readonly renderMs: number;
  readonly convertMs: number;
  /** Call it once the caller has the document. */
  readonly afterReply?: (() => void) | undefined;
}

export interface PdfSteps {
  readonly history: ConversionHistory;
  readonly watermark: WatermarkWord | undefined;
  /**
   * Lays out the filled template without LibreOffice; resolves with undefined if LibreOffice must do it. Default:
   * always use LibreOffice.
   */
  readonly layOutDirectly?: ((filled: DocumentWithFonts) => Promise<DirectDocument | undefined>) | undefined;
}

/** Fills the template, converts it, then applies watermark and protection and checks conformance. Throws `AppError`. */
export async function producePdf(
  deps: WorkerDeps,
  document: PrintedDocument,
  { load, loadIncludes }: PdfInput,
  { history, watermark, layOutDirectly }: PdfSteps,
): Promise<ProducedPdf> {
  const docx = required(deps.docx, 'docx');
  const office = required(deps.office, 'office');
  const [[template, data], accountWords] = await Promise.all([load(), deps.loadWords(document.dictionaryId)]);
  const accountFonts = groupFonts(document, await deps.loadCoverage(document.accountFonts));
  const request = {
    account: document.accountId,
    addWorkMs: deps.addWorkMs,
    templateKey: templateKeyOf(document),
    template,
    accountWords,
    data,
    target: 'pdf' as const,
    options: toRenderOptions(document),
    fonts: deps.fonts?.coverage(),
    accountFonts: accountFonts.families,
    loadAssets: (names: readonly string[]) => deps.loadAssets(document.accountId, names),
    loadIncludes: loadIncludes ?? includesLoader(deps.templates, document.includes),
  };
  const rendered = await deps.stages.time('render', () => docx.render(request));
  const filled = await embedFonts(deps.loadFont, accountFonts, rendered);
  const converted = await deps.stages.time(
    'convert',
    async () =>
      (await layOutDirectly?.(filled)) ??
      (await convertDocument(deps, office, document, history, filled.docx, filled.fonts)),
  );
  const { pdf, pages, convertMs } = converted;
  const installed = await deps.fonts?.digest();
  const fonts = installed === undefined ? undefined : { installed, account: filled.used };
  const engine = { ...converted.engine, fonts };
  const marked = watermark === undefined ? pdf : watermarkPdf(pdf, pages, watermark);
  const bytes = await protectDocument(deps, document, marked);
  const { conformance, warnings: failures } = await deps.stages.time('check', () =>
    checkConformance(deps, document, bytes),
  );
  const warnings = [...rendered.warnings, ...filled.warnings, ...converted.warnings, ...failures];
  const afterReply = 'afterReply' in converted ? converted.afterReply : undefined;
  return { bytes, pages, engine, warnings, conformance, renderMs: rendered.renderMs, convertMs, afterReply };
}

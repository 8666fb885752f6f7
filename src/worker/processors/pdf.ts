import type { JobPayload } from '../../shared/queue/contracts.ts';
import { required, type WorkerDeps } from '../deps.ts';
import { embedFonts, groupFonts } from '../generation/account-fonts.ts';
import { checkConformance } from '../generation/check-conformance.ts';
import { convertDocument, refuseQuarantined } from '../generation/convert-document.ts';
import { loadData } from '../generation/load-data.ts';
import { protectDocument } from '../generation/protect-document.ts';
import { toRenderOptions } from '../generation/render-options.ts';
import { runAttempt } from '../generation/run-attempt.ts';
import { isRefreshUnsafe } from '../generation/unsafe-refreshes.ts';
import { watermarkTestPdf } from '../pdf/watermark/test-watermark.ts';

/** Renders a template and converts it to PDF. */
export async function processPdf(jobDeps: WorkerDeps, payload: JobPayload<'pdf-batch'>): Promise<void> {
  const docx = required(jobDeps.docx, 'docx');
  const office = required(jobDeps.office, 'office');
  await runAttempt(jobDeps, payload, async (deps, generation, fetched) => {
    const [template, data, isUnsafe] = await Promise.all([
      deps.templates.load(generation.templateObjectKey, generation.templateChecksum),
      loadData(deps, generation, fetched),
      isRefreshUnsafe(deps, generation),
      refuseQuarantined(deps, generation),
    ]);
    const accountFonts = groupFonts(generation, await deps.loadCoverage(generation.accountFonts));
    const options = toRenderOptions(generation);
    const request = {
      account: generation.accountId,
      addWorkMs: deps.addWorkMs,
      templateKey: generation.templateObjectKey,
      template,
      data,
      target: 'pdf' as const,
      options,
      fonts: deps.fonts?.coverage(),
      accountFonts: accountFonts.families,
      loadAssets: (names: readonly string[]) => deps.loadAssets(generation.accountId, names),
    };
    const rendered = await deps.stages.time('render', () => docx.render(request));
    const document = await embedFonts(deps.loadFont, accountFonts, rendered);
    const converted = await deps.stages.time('convert', () =>
      convertDocument(deps, office, generation, document.docx, !isUnsafe, document.fonts),
    );
    const { pdf, pages, convertMs } = converted;
    const installed = await deps.fonts?.digest();
    const fonts = installed === undefined ? undefined : { installed, account: document.used };
    const engine = { ...converted.engine, fonts };
    const marked = generation.isTest ? watermarkTestPdf(pdf, pages) : pdf;
    const bytes = await protectDocument(deps, generation, marked);
    const { conformance, warnings: failures } = await deps.stages.time('check', () =>
      checkConformance(deps, generation, bytes),
    );
    const warnings = [...rendered.warnings, ...document.warnings, ...converted.warnings, ...failures];
    return { bytes, pages, engine, warnings, conformance, renderMs: rendered.renderMs, convertMs };
  });
}

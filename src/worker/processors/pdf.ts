import type { JobPayload } from '../../shared/queue/contracts.ts';
import { required, type WorkerDeps } from '../deps.ts';
import { embedFonts, groupFonts } from '../generation/account-fonts.ts';
import { convertDocument, refuseQuarantined } from '../generation/convert-document.ts';
import { loadData } from '../generation/load-data.ts';
import { protectDocument } from '../generation/protect-document.ts';
import { toRenderOptions } from '../generation/render-options.ts';
import { runAttempt } from '../generation/run-attempt.ts';

/** Renders a template and converts it to PDF. */
export async function processPdf(deps: WorkerDeps, payload: JobPayload<'pdf-batch'>): Promise<void> {
  const docx = required(deps.docx, 'docx');
  const office = required(deps.office, 'office');
  await runAttempt(deps, payload, async (generation, fetched) => {
    const [template, data] = await Promise.all([
      deps.templates.load(generation.templateObjectKey, generation.templateChecksum),
      loadData(deps, generation, fetched),
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
    const { renderMs } = rendered;
    const document = await embedFonts(deps.loadFont, generation, accountFonts, rendered);
    const warnings = [...rendered.warnings, ...document.warnings];
    const { pdf, pages, engine, convertMs } = await deps.stages.time('convert', () =>
      convertDocument(deps, office, generation, document.docx, document.fonts),
    );
    const bytes = await protectDocument(deps, generation, pdf);
    return { bytes, pages, engine, warnings, renderMs, convertMs };
  });
}

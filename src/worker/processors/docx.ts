import type { JobPayload } from '../../shared/queue/contracts.ts';
import { required, type WorkerDeps } from '../deps.ts';
import { loadData } from '../generation/load-data.ts';
import { includesLoader } from '../generation/load-includes.ts';
import { toRenderOptions } from '../generation/render-options.ts';
import { runAttempt } from '../generation/run-attempt.ts';
import { templateKeyOf } from '../generation/template-key.ts';

/** Renders a template to .docx. */
export async function processDocx(jobDeps: WorkerDeps, payload: JobPayload<'docx-batch'>): Promise<void> {
  const docx = required(jobDeps.docx, 'docx');
  await runAttempt(jobDeps, payload, async (deps, generation, fetched) => {
    const [template, accountWords, data] = await Promise.all([
      deps.templates.load(generation.templateObjectKey, generation.templateChecksum),
      deps.loadWords(generation.dictionaryId),
      loadData(deps, generation, fetched),
    ]);
    const options = toRenderOptions(generation);
    const request = {
      account: generation.accountId,
      addWorkMs: deps.addWorkMs,
      templateKey: templateKeyOf(generation),
      template,
      accountWords,
      data,
      target: 'docx' as const,
      options,
      // For SVG pictures, which become bitmaps.
      fonts: deps.fonts?.coverage(),
      loadAssets: (names: readonly string[]) => deps.loadAssets(generation.accountId, names),
      loadIncludes: includesLoader(deps.templates, generation.includes),
    };
    const rendered = await deps.stages.time('render', () => docx.render(request));
    const { warnings, renderMs } = rendered;
    return { bytes: rendered.docx, pages: null, engine: null, warnings, renderMs, convertMs: 0 };
  });
}

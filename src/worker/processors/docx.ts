import type { JobPayload } from '../../shared/queue/contracts.ts';
import { required, type WorkerDeps } from '../deps.ts';
import { loadData } from '../documents/load-data.ts';
import { includesLoader } from '../documents/load-includes.ts';
import { toRenderOptions } from '../documents/render-options.ts';
import { runAttempt } from '../documents/run-attempt.ts';
import { templateKeyOf } from '../documents/template-key.ts';

/** Renders a template to .docx. */
export async function processDocx(jobDeps: WorkerDeps, payload: JobPayload<'docx-batch'>): Promise<void> {
  const docx = required(jobDeps.docx, 'docx');
  await runAttempt(jobDeps, payload, async (deps, document, fetched) => {
    const [template, accountWords, data] = await Promise.all([
      deps.templates.load(document.templateObjectKey, document.templateChecksum),
      deps.loadWords(document.dictionaryId),
      loadData(deps, document, fetched),
    ]);
    const options = toRenderOptions(document);
    const request = {
      account: document.accountId,
      addWorkMs: deps.addWorkMs,
      templateKey: templateKeyOf(document),
      template,
      accountWords,
      data,
      target: 'docx' as const,
      options,
      // For SVG pictures, which are converted to bitmaps.
      fonts: deps.fonts?.coverage(),
      loadAssets: (names: readonly string[]) => deps.loadAssets(document.accountId, names),
      loadIncludes: includesLoader(deps.templates, document.includes),
    };
    const rendered = await deps.stages.time('render', () => docx.render(request));
    const { warnings, renderMs } = rendered;
    return { bytes: rendered.docx, pages: null, engine: null, warnings, renderMs, convertMs: 0 };
  });
}

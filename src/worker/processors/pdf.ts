import type { JobPayload } from '../../shared/queue/contracts.ts';
import type { WorkerDeps } from '../deps.ts';
import { historyOf } from '../documents/conversion-history.ts';
import { layOutDirectly } from '../documents/lay-out-directly.ts';
import { loadData } from '../documents/load-data.ts';
import { producePdf } from '../documents/produce-pdf.ts';
import { runAttempt } from '../documents/run-attempt.ts';

/** Renders a template and converts it to PDF. */
export async function processPdf(jobDeps: WorkerDeps, payload: JobPayload<'pdf-batch'>): Promise<void> {
  await runAttempt(jobDeps, payload, (deps, document, fetched) => {
    const load = () =>
      Promise.all([
        deps.templates.load(document.templateObjectKey, document.templateChecksum),
        loadData(deps, document, fetched),
      ]);
    const watermark = document.isTest ? 'TEST' : undefined;
    return producePdf(
      deps,
      document,
      { load },
      {
        history: historyOf(deps, document),
        watermark,
        layOutDirectly: (filled) => layOutDirectly(deps, document, filled),
      },
    );
  });
}

import type { JobPayload } from '../../shared/queue/contracts.ts';
import type { WorkerDeps } from '../deps.ts';
import { historyOf } from '../generation/conversion-history.ts';
import { layOutDirectly } from '../generation/lay-out-directly.ts';
import { loadData } from '../generation/load-data.ts';
import { producePdf } from '../generation/produce-pdf.ts';
import { runAttempt } from '../generation/run-attempt.ts';

/** Renders a template and converts it to PDF. */
export async function processPdf(jobDeps: WorkerDeps, payload: JobPayload<'pdf-batch'>): Promise<void> {
  await runAttempt(jobDeps, payload, (deps, generation, fetched) => {
    const load = () =>
      Promise.all([
        deps.templates.load(generation.templateObjectKey, generation.templateChecksum),
        loadData(deps, generation, fetched),
      ]);
    const watermark = generation.isTest ? 'TEST' : undefined;
    return producePdf(
      deps,
      generation,
      { load },
      {
        history: historyOf(deps, generation),
        watermark,
        layOutDirectly: (filled) => layOutDirectly(deps, generation, filled),
      },
    );
  });
}

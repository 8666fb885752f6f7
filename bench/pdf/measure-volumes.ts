import { Docmill } from '@docmill/client';
import { documentOf } from '../harness/documents.ts';
import { perDocument, readProcessorTime } from '../harness/processor-time.ts';
import { atLeast, type Figure, figure } from '../harness/report.ts';
import { alternate, samplesOf } from '../harness/rounds.ts';
import { startServiceStack, uploadTemplate } from '../harness/stack.ts';
import { byRound } from '../harness/statistics.ts';
import { requireNoFallback } from './count-outcomes.ts';
import { waitForProof } from './wait-for-proof.ts';

/** LibreOffice needs a minute for this many rows. */
const comparedRows = 1_000;

interface Volumes {
  readonly lettersPerSecond: number;
  /**
   * The API's and the worker's processor time per letter in milliseconds, with their child processes but without the
   * servers that they use.
   */
  readonly processorMs: number;
}

/**
 * Merges a batch's letters into one PDF, both laid out directly and by LibreOffice. Measures from the request to the
 * last volume.
 */
export async function measureVolumes(
  rounds: number,
  letters: number,
): Promise<{ readonly figures: readonly Figure[]; readonly raw: object }> {
  const stack = await startServiceStack({ DIRECT_PDF: 'on' });
  try {
    const [apiKey = ''] = await stack.openAccounts(1);
    const docmill = new Docmill({ baseUrl: stack.url, apiKey });
    const { template, data } = documentOf('letter', 3);
    const id = await uploadTemplate(stack.url, apiKey, 'letter.docx', template);
    await waitForProof(docmill, id);
    const makeVolumes = async (engine: 'auto' | 'office', rows: number): Promise<Volumes> => {
      const items = Array.from({ length: rows }, (_, index) => ({ data: { ...data, reference: `No. ${index + 1}` } }));
      const before = readProcessorTime(stack.pids);
      const startedAt = performance.now();
      const batch = await docmill.batches.create(id, items, {
        output: { format: 'pdf', pdf: { engine } },
        bundle: 'pdf',
      });
      const { status, counts } = await batch.wait();
      if (status !== 'completed' || counts.succeeded !== rows) throw new Error(JSON.stringify({ status, counts }));
      const lettersPerSecond = (rows * 1_000) / (performance.now() - startedAt);
      const used = Object.entries(perDocument(before, readProcessorTime(stack.pids), rows));
      const own = used.filter(([name]) => name === 'api' || name.startsWith('worker'));
      return { lettersPerSecond, processorMs: own.reduce((sum, [, ms]) => sum + ms, 0) };
    };
    const contenders = (['auto', 'office'] as const).map((engine) => ({
      name: engine,
      run: () => makeVolumes(engine, comparedRows),
    }));
    await makeVolumes('auto', comparedRows);
    const samples = await alternate(contenders, rounds);
    const [direct, office] = [samplesOf(samples, 'auto'), samplesOf(samples, 'office')];
    const whole = await makeVolumes('auto', letters);
    await requireNoFallback(stack);
    return {
      figures: [
        figure(
          `${comparedRows} letters into one PDF: laid out directly / by LibreOffice`,
          'times',
          byRound(direct, office, (one, other) => one.lettersPerSecond / other.lettersPerSecond),
          atLeast(10),
        ),
        figure(
          `processor time of such a letter in the API and the worker: by LibreOffice / laid out directly`,
          'times',
          byRound(office, direct, (one, other) => one.processorMs / other.processorMs),
        ),
        figure(`${letters} letters into one PDF, laid out directly: letters a second`, '', [whole.lettersPerSecond]),
        figure('processor time of such a letter in the API and the worker', 'ms', [whole.processorMs]),
      ],
      raw: { direct, office, whole },
    };
  } finally {
    await stack.close();
  }
}

import { Docmill } from '@docmill/client';
import { documentOf } from '../harness/documents.ts';
import { atLeast, type Figure, figure } from '../harness/report.ts';
import { alternate, samplesOf } from '../harness/rounds.ts';
import { startServiceStack, uploadTemplate } from '../harness/stack.ts';
import { byRound } from '../harness/statistics.ts';
import { requireNoFallback } from './count-outcomes.ts';
import { waitForProof } from './wait-for-proof.ts';

/** LibreOffice needs a minute for these. */
const comparedRows = 1_000;

/** Letters of a batch that become one PDF: from the request to its last volume, laid out directly and by LibreOffice. */
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
    const lettersPerSecond = async (engine: 'auto' | 'office', rows: number): Promise<number> => {
      const items = Array.from({ length: rows }, (_, index) => ({ data: { ...data, reference: `No. ${index + 1}` } }));
      const startedAt = performance.now();
      const batch = await docmill.batches.create(id, items, {
        output: { format: 'pdf', pdf: { engine } },
        bundle: 'pdf',
      });
      const { status, counts } = await batch.wait();
      if (status !== 'completed' || counts.succeeded !== rows) throw new Error(JSON.stringify({ status, counts }));
      return (rows * 1_000) / (performance.now() - startedAt);
    };
    const contenders = (['auto', 'office'] as const).map((engine) => ({
      name: engine,
      run: () => lettersPerSecond(engine, comparedRows),
    }));
    await lettersPerSecond('auto', comparedRows);
    const samples = await alternate(contenders, rounds);
    const [direct, office] = [samplesOf(samples, 'auto'), samplesOf(samples, 'office')];
    const whole = await lettersPerSecond('auto', letters);
    await requireNoFallback(stack);
    return {
      figures: [
        figure(
          `${comparedRows} letters into one PDF: laid out directly / by LibreOffice`,
          'times',
          byRound(direct, office, (one, other) => one / other),
          atLeast(10),
        ),
        figure(`${letters} letters into one PDF, laid out directly: letters a second`, '', [whole]),
      ],
      raw: { direct, office, whole },
    };
  } finally {
    await stack.close();
  }
}

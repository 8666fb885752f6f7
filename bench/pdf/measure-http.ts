import { Docmill } from '@docmill/client';
import { documentOf } from '../harness/documents.ts';
import { atMost, type Figure, figure } from '../harness/report.ts';
import { alternate, samplesOf } from '../harness/rounds.ts';
import { startServiceStack, uploadTemplate } from '../harness/stack.ts';
import { byRound } from '../harness/statistics.ts';
import { Connection, postRequest } from '../http/connection.ts';
import { waitForProof } from './wait-for-proof.ts';

const callers = 32;
const runMs = 3_000;

const outputs = {
  docx: { format: 'docx' },
  direct: { format: 'pdf' },
  office: { format: 'pdf', pdf: { engine: 'office' } },
} as const;

/** Documents a second of one API and one worker, for 32 callers: as .docx, as PDF laid out directly, and as PDF by LibreOffice. */
export async function measureHttp(
  rounds: number,
): Promise<{ readonly figures: readonly Figure[]; readonly raw: object }> {
  const stack = await startServiceStack({ DIRECT_PDF: 'on' });
  try {
    const [apiKey = ''] = await stack.openAccounts(1);
    const { template, data } = documentOf('invoice', 10);
    const id = await uploadTemplate(stack.url, apiKey, 'invoice.docx', template);
    await waitForProof(new Docmill({ baseUrl: stack.url, apiKey }), id, data);
    const contenders = Object.entries(outputs).map(([name, output]) => {
      const body = JSON.stringify({ data, output });
      const request = postRequest({ url: stack.url, path: `/v1/templates/${id}/generate`, apiKey, body });
      return { name, run: () => documentsPerSecond(stack.url, request) };
    });
    for (const { run } of contenders) await run();
    const samples = await alternate(contenders, rounds);
    const [docx, direct, office] = ['docx', 'direct', 'office'].map((name) => samplesOf(samples, name));
    if (docx === undefined || direct === undefined || office === undefined) throw new Error('nothing measured');
    const ratio = (one: number, other: number): number => one / other;
    return {
      figures: [
        figure(
          `invoice over HTTP, ${callers} callers: .docx / PDF laid out directly`,
          'times',
          byRound(docx, direct, ratio),
          atMost(2),
        ),
        figure(
          `invoice over HTTP, ${callers} callers: PDF laid out directly / by LibreOffice`,
          'times',
          byRound(direct, office, ratio),
        ),
        figure(`invoice over HTTP, ${callers} callers: PDFs laid out directly a second`, '', direct),
      ],
      raw: { docx, direct, office },
    };
  } finally {
    await stack.close();
  }
}

async function documentsPerSecond(url: string, request: Buffer): Promise<number> {
  const connections = await Promise.all(Array.from({ length: callers }, () => Connection.open(url)));
  const startedAt = performance.now();
  let documents = 0;
  const call = async (connection: Connection): Promise<void> => {
    while (performance.now() - startedAt < runMs) {
      const { status, body } = await connection.send(request);
      if (status !== 200) throw new Error(`answered ${status}: ${body.toString('utf8', 0, 500)}`);
      documents++;
    }
  };
  await Promise.all(connections.map(call));
  for (const connection of connections) connection.close();
  return (documents * 1_000) / (performance.now() - startedAt);
}

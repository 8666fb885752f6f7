import { availableParallelism } from 'node:os';
import { Docmill } from '@docmill/client';
import { installContenders } from '../contenders/packages.ts';
import { documentOf } from '../harness/documents.ts';
import { atLeast, atMost, type Figure, figure } from '../harness/report.ts';
import { alternate, samplesOf } from '../harness/rounds.ts';
import { type ServiceStack, startServiceStack, uploadTemplate } from '../harness/stack.ts';
import { byRound } from '../harness/statistics.ts';
import { withTemporaryFolder } from '../harness/temporary-folder.ts';
import { Connection, postRequest } from '../http/connection.ts';
import { openCarbonePdf } from '../http/contenders.ts';
import { countOf, requireNoFallback } from './count-outcomes.ts';
import { waitForProof } from './wait-for-proof.ts';

const callers = 32;
const runMs = 3_000;

const outputs = {
  docx: { format: 'docx' },
  direct: { format: 'pdf' },
  office: { format: 'pdf', pdf: { engine: 'office' } },
} as const;

const services = Object.keys(outputs) as readonly (keyof typeof outputs)[];
const carboneName = 'carbone';
/** The first documents of a version are all compared with LibreOffice's. */
const firstPageChecks = 10;
const mostWarmUps = 20;

/**
 * Measures the documents per second of one API and one worker with 32 callers: as .docx, as a PDF laid out directly,
 * and as a PDF from LibreOffice. Also measures the npm package carbone without HTTP. Throws if a PDF that should be
 * laid out directly was not.
 */
export async function measureHttp(
  rounds: number,
): Promise<{ readonly figures: readonly Figure[]; readonly raw: object }> {
  installContenders();
  return withTemporaryFolder(async (folder) => {
    const stack = await startServiceStack({ DIRECT_PDF: 'on' });
    try {
      return await measure(stack, folder, rounds);
    } finally {
      await stack.close();
    }
  });
}

async function measure(stack: ServiceStack, folder: string, rounds: number) {
  const [apiKey = ''] = await stack.openAccounts(1);
  const document = documentOf('invoice', 10);
  const { template, data } = document;
  const id = await uploadTemplate(stack.url, apiKey, 'invoice.docx', template);
  await waitForProof(new Docmill({ baseUrl: stack.url, apiKey }), id);
  const service = services.map((name) => {
    const body = JSON.stringify({ data, output: outputs[name] });
    const request = postRequest({ url: stack.url, path: `/v1/templates/${id}/generate`, apiKey, body });
    return { name, run: () => documentsPerSecond(stack.url, request) };
  });
  const factories = availableParallelism();
  const carbone = await openCarbonePdf(document, { factories, folder });
  const plan = { forMs: runMs, minDocuments: factories, concurrency: factories };
  const contenders = [...service, { name: carboneName, run: async () => (await carbone.run(plan)).perSecond }];
  try {
    for (const { run } of contenders) await run();
    for (
      let run = 0;
      run < mostWarmUps && (await countOf(stack, 'docmill_page_checks_total', 'equal')) < firstPageChecks;
      run++
    )
      await service.find(({ name }) => name === 'direct')?.run();
    const samples = await alternate(contenders, rounds);
    await requireNoFallback(stack);
    const [docx, direct, office, theirs] = [...services, carboneName].map((name) => samplesOf(samples, name));
    if (docx === undefined || direct === undefined || office === undefined || theirs === undefined)
      throw new Error('nothing measured');
    const ratio = (one: number, other: number): number => one / other;
    const what = `invoice over HTTP, ${callers} callers`;
    return {
      figures: [
        figure(`${what}: .docx / PDF laid out directly`, 'times', byRound(docx, direct, ratio), atMost(2)),
        figure(`${what}: PDF laid out directly / by carbone`, 'times', byRound(direct, theirs, ratio), atLeast(8)),
        figure(`${what}: PDF laid out directly / by LibreOffice`, 'times', byRound(direct, office, ratio)),
        figure(`${what}: PDFs laid out directly a second`, '', direct),
      ],
      raw: { docx, direct, office, carbone: theirs },
    };
  } finally {
    await carbone.close();
  }
}

async function documentsPerSecond(url: string, request: Buffer): Promise<number> {
  const connections = await Promise.all(Array.from({ length: callers }, () => Connection.open(url)));
  const startedAt = performance.now();
  let documents = 0;
  const call = async (connection: Connection): Promise<void> => {
    while (performance.now() - startedAt < runMs) {
      const { status, body } = await connection.send(request);
      if (status !== 200) throw new Error(`status ${status}: ${body.toString('utf8', 0, 500)}`);
      documents++;
    }
  };
  await Promise.all(connections.map(call));
  for (const connection of connections) connection.close();
  return (documents * 1_000) / (performance.now() - startedAt);
}

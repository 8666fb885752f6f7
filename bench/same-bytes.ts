import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { documentOf, type ExampleName } from './harness/documents.ts';
import { startServiceStack, uploadTemplate } from './harness/stack.ts';

/**
 * Counts the digests of equal requests. Each round restarts the whole service, with other processes, accounts and ids,
 * in another time zone, and mixes in documents of another template. Exits with 1 if a format has more than one digest.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { rounds: { type: 'string', default: '5' }, repeats: { type: 'string', default: '100' } },
});
const rounds = Number(values.rounds);
const repeats = Number(values.repeats);
const zones = ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Auckland'];
const formats = ['docx', 'pdf'] as const;
const documentDate = '2026-03-31T14:30:00Z';
const senders = 4;

type Send = (example: ExampleName, format: string) => Promise<string>;

const digests: Readonly<Record<(typeof formats)[number], Map<string, number>>> = { docx: new Map(), pdf: new Map() };
for (let round = 0; round < rounds; round++) {
  process.env.TZ = zones[round % zones.length];
  const stack = await startServiceStack();
  try {
    const [apiKey = ''] = await stack.openAccounts(1);
    await repeat(await sender(stack.url, apiKey));
  } finally {
    await stack.close();
  }
  const counts = formats.map((format) => `${format} ${digests[format].size}`);
  process.stderr.write(`round ${round + 1} of ${rounds}: digests of ${counts.join(', ')}\n`);
}
const found = formats.map((format) => ({ format, digests: Object.fromEntries(digests[format]) }));
process.stdout.write(`${JSON.stringify({ rounds, repeats, found })}\n`);
if (formats.some((format) => digests[format].size !== 1)) process.exitCode = 1;

async function repeat(send: Send): Promise<void> {
  const requests = Array.from({ length: repeats }, (_, i) => i).values();
  const work = async (): Promise<void> => {
    for (const i of requests) {
      if (i % 5 === 0) await send('letter', 'pdf');
      for (const format of formats) {
        const digest = await send('invoice', format);
        digests[format].set(digest, (digests[format].get(digest) ?? 0) + 1);
      }
    }
  };
  await Promise.all(Array.from({ length: senders }, work));
}

async function sender(url: string, apiKey: string): Promise<Send> {
  const documents = { invoice: documentOf('invoice', 20), letter: documentOf('letter', 3) };
  const ids = {
    invoice: await uploadTemplate(url, apiKey, 'invoice.docx', documents.invoice.template),
    letter: await uploadTemplate(url, apiKey, 'letter.docx', documents.letter.template),
  };
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  return async (example, format) => {
    const output = { format, filename: 'document', documentDate };
    const body = JSON.stringify({ data: documents[example].data, output });
    const answer = await fetch(`${url}/v1/templates/${ids[example]}/generate`, { method: 'POST', headers, body });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.status !== 200) throw new Error(`the service responded with ${answer.status}: ${bytes}`);
    return createHash('sha256').update(bytes).digest('hex');
  };
}

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReadyStack } from '../local/start-stack.ts';
import { callService } from './call-service.ts';
import { uploadExample } from './upload-example.ts';

export interface Made {
  readonly templateId: string;
  readonly docx: string;
  readonly pdf: string;
  readonly mail: string;
}

type Step = <T>(what: string, work: () => Promise<T>) => Promise<T>;

const mailWithinMs = 30_000;

/** Uploads the example, generates it in both formats, e-mails the PDF and writes everything to `out`. */
export async function makeDocuments(stack: ReadyStack, step: Step): Promise<Made> {
  const data: unknown = JSON.parse(await readFile('examples/invoice.json', 'utf8'));
  const templateId = await step('uploading examples/invoice.docx', () => uploadExample(stack, 'invoice.docx'));
  await mkdir('out', { recursive: true });
  const mailsBefore = new Set(await readdir(stack.mailDir));
  const make = async (output: Record<string, unknown>, file: string): Promise<string> => {
    const answer = await callService(stack, `/v1/templates/${templateId}/generate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data, output }),
    });
    await writeFile(file, Buffer.from(await answer.arrayBuffer()));
    return resolve(file);
  };
  const docx = await step('generating out/invoice.docx', () => make({ format: 'docx' }, 'out/invoice.docx'));
  const email = { to: ['customer@example.com'], subject: 'Your invoice' };
  const pdf = await step('generating out/invoice.pdf, and e-mailing it', () =>
    make({ format: 'pdf', email }, 'out/invoice.pdf'),
  );
  const mail = await step('waiting for the e-mail', () => waitForMail(stack.mailDir, mailsBefore));
  return { templateId, docx, pdf, mail };
}

async function waitForMail(mailDir: string, known: ReadonlySet<string>): Promise<string> {
  for (const deadline = Date.now() + mailWithinMs; Date.now() < deadline; await delay(100)) {
    const found = (await readdir(mailDir)).find((file) => file.endsWith('.eml') && !known.has(file));
    if (found !== undefined) return join(mailDir, found);
  }
  throw new Error(`no e-mail arrived in ${mailDir} within ${mailWithinMs / 1000} s`);
}

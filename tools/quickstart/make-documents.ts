import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from './run-stack.ts';

export interface Made {
  readonly templateId: string;
  readonly docx: string;
  readonly pdf: string;
  readonly mail: string;
}

type Step = <T>(what: string, work: () => Promise<T>) => Promise<T>;

const name = 'invoice.docx';
const mailWithinMs = 30_000;

/** Uploads the example, generates it in both formats, e-mails the PDF and writes everything to `out`. */
export async function makeDocuments(stack: Stack, step: Step): Promise<Made> {
  const data: unknown = JSON.parse(await readFile('examples/invoice.json', 'utf8'));
  const templateId = await step('uploading examples/invoice.docx', () => upload(stack));
  await mkdir('out', { recursive: true });
  const mailsBefore = new Set(await readdir(stack.mailDir));
  const make = async (output: Record<string, unknown>, file: string): Promise<string> => {
    const answer = await call(stack, `/v1/templates/${templateId}/generate`, {
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
  const mail = await step('waiting for the mail', () => waitForMail(stack.mailDir, mailsBefore));
  return { templateId, docx, pdf, mail };
}

/** A later run updates the template of the first one, so that runs do not use up the quota. */
async function upload(stack: Stack): Promise<string> {
  const listed = await call(stack, `/v1/templates?name=${name}`, {});
  const [known] = (await listed.json()) as { readonly id: string }[];
  const form = new FormData();
  form.set('name', name);
  form.set('file', new Blob([await readFile(`examples/${name}`)]), name);
  const path = known === undefined ? '/v1/templates' : `/v1/templates/${known.id}/content`;
  const answer = await call(stack, path, { method: known === undefined ? 'POST' : 'PUT', body: form });
  return ((await answer.json()) as { readonly id: string }).id;
}

async function call(stack: Stack, path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${stack.apiKey}`);
  const answer = await fetch(`${stack.url}${path}`, { ...init, headers });
  if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function waitForMail(mailDir: string, known: ReadonlySet<string>): Promise<string> {
  for (const deadline = Date.now() + mailWithinMs; Date.now() < deadline; await delay(100)) {
    const found = (await readdir(mailDir)).find((file) => file.endsWith('.eml') && !known.has(file));
    if (found !== undefined) return join(mailDir, found);
  }
  throw new Error(`no mail arrived in ${mailDir} within ${mailWithinMs / 1000} s`);
}

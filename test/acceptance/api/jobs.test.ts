import { beforeAll, expect, inject, test } from 'vitest';
import { expectProblem, nextOf } from '../../support/client/api-client.ts';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
let client: TestClient;
let templateId: string;
beforeAll(async () => {
  client = await newClient();
  templateId = (await client.template('letter.docx', letter('Dear {name}'))).id;
});

interface Job {
  readonly id: string;
  readonly status: string;
  readonly templateId: string;
}

const later = (request: unknown) => client.start(templateId, request);

async function ended(id: string): Promise<Job> {
  const read = async () => (await client.call('GET', `/v1/jobs/${id}`)).json<Job>();
  await expect.poll(async () => (await read()).status).toMatch(/succeeded|failed|cancelled/);
  return read();
}

test('generate with respond-async, which the OpenAPI document leaves out, still returns the job of its key', async () => {
  const headers = {
    Authorization: `Bearer ${client.apiKey}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': 'a',
  };
  const body = JSON.stringify({ data: { name: 'Ada' } });
  const answer = await fetch(`${client.url}/v1/templates/${templateId}/generate`, {
    method: 'POST',
    headers: { ...headers, Prefer: 'wait=10, respond-async' },
    body,
  });
  expect([answer.status, answer.headers.get('Preference-Applied')]).toEqual([202, 'respond-async']);
  const job = await client.start(templateId, JSON.parse(body), { 'Idempotency-Key': 'a' });
  expect(job.json<Job>().id).toBe(((await answer.json()) as Job).id);
});

test('a started job is returned at once, then its file', async () => {
  const answer = await later({ data: { name: 'Ada' }, output: { filename: 'für-ada' } });
  expect(answer.status).toBe(202);
  const { id } = answer.json<Job>();
  expect(answer.headers.get('Location')).toBe(`/v1/jobs/${id}`);
  expect(await ended(id)).toMatchObject({
    status: 'succeeded',
    templateId,
    filename: 'für-ada.docx',
    size: expect.any(Number),
    warnings: [],
    timings: { queueMs: expect.any(Number), renderMs: expect.any(Number), totalMs: expect.any(Number) },
    expiresAt: expect.any(String),
  });
  const content = `/v1/jobs/${id}/content`;
  const whole = await client.call('GET', content);
  expect(docxText(whole.bytes)).toBe('Dear Ada');
  expectProblem(await client.call('DELETE', `/v1/jobs/${id}`), 409, /has succeeded/);
});

test('a file names its job, which lists the warnings; a refused request has no job', async () => {
  const answer = await client.generate(templateId, { data: { unused: 1 } });
  const job = await client.call('GET', `/v1/jobs/${answer.headers.get('Document-Id')}`);
  const { status, warnings } = job.json<{ status: string; warnings: unknown[] }>();
  expect([status, warnings.length]).toEqual(['succeeded', Number(answer.headers.get('Warnings') ?? 0)]);
  const refused = await client.generate(templateId, { data: 1 });
  expect([refused.status, refused.headers.get('Document-Id')]).toEqual([400, null]);
});

test('the job of a PDF names the program and version that laid out its pages; the job of a .docx names none', async () => {
  const job = async (format: string): Promise<Job> => {
    const { id } = (await later({ data: { name: 'Ada' }, output: { format } })).json<Job>();
    return ended(id);
  };
  const engine = { name: 'LibreOffice', version: expect.stringMatching(/^\d+\.\d+\.\d+/) };
  expect(await job('pdf')).toMatchObject({ status: 'succeeded', pdfEngine: 'office', engine });
  const docx = await job('docx');
  for (const field of ['pdfEngine', 'engine']) expect(docx).not.toHaveProperty(field);
});

test('a failed job reports the same error as a synchronous request, and has no file', async () => {
  const request = { data: {}, output: { onMissing: 'error' } };
  const answer = await client.generate(templateId, request);
  const refused = expectProblem(answer, 400);
  expect(await ended(answer.headers.get('Document-Id') ?? '')).toMatchObject({ status: 'failed', error: refused });
  const { id } = (await later(request)).json<Job>();
  expect(await ended(id)).toMatchObject({ status: 'failed', error: refused });
  expectProblem(await client.call('GET', `/v1/jobs/${id}/content`), 404, /has failed/);
});

test('documents are found by id, filename and recipient, in any case, and only those of the account', async () => {
  const owner = await newClient();
  const { id: template } = await owner.template('letter.docx', letter('Dear {name}'));
  const make = async (output: Readonly<Record<string, unknown>>) => {
    const answer = await owner.generate(template, { data: { name: 'Ada' }, output });
    expect(answer.status).toBe(200);
    return answer.headers.get('Document-Id') ?? '';
  };
  const invoice = await make({ filename: 'Rechnung 100% für Zoë' });
  const mailed = await make({ email: { to: ['first@example.com'], bcc: ['hidden@example.org'] } });
  const find = async (search: string, caller = owner) => {
    const answer = await caller.call('GET', `/v1/jobs?${new URLSearchParams({ search })}`);
    expect([answer.status, answer.headers.get('Link')]).toEqual([200, null]);
    return answer.json<readonly Job[]>().map(({ id }) => id);
  };
  expect(await find(invoice)).toEqual([invoice]);
  expect(await find('RECHNUNG')).toEqual([invoice]);
  expect(await find('00% FÜR zoë')).toEqual([invoice]);
  expect(await find('Hidden@Example.org')).toEqual([mailed]);
  expect(await find('doc_')).toEqual([mailed, invoice]);
  for (const nothing of ['Rech_ung', 'R%g', 'a\\b', 'a\0b', "' or true --"])
    expect(await find(nothing), nothing).toEqual([]);
  expect(await find('doc_', await newClient())).toEqual([]);
  const first = await owner.call('GET', '/v1/jobs?search=doc_&limit=1');
  expect(first.json<readonly Job[]>().map(({ id }) => id)).toEqual([mailed]);
  const second = await owner.call('GET', nextOf(first) ?? '');
  expect(second.json<readonly Job[]>().map(({ id }) => id)).toEqual([invoice]);
});

import { beforeAll, describe, expect, inject, test } from 'vitest';
import { expectProblem } from '../../support/client/api-client.ts';
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

const later = (request: unknown, prefer = 'respond-async') => client.generate(templateId, request, { Prefer: prefer });

async function ended(id: string): Promise<Job> {
  const read = async () => (await client.call('GET', `/v1/jobs/${id}`)).json<Job>();
  await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toMatch(/succeeded|failed|cancelled/);
  return read();
}

test('respond-async returns 202 and the job, then its file, whole and in ranges', async () => {
  const answer = await later({ data: { name: 'Ada' }, output: { filename: 'für-ada' } }, 'wait=10, respond-async');
  expect([answer.status, answer.headers.get('Preference-Applied')]).toEqual([202, 'respond-async']);
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
  const etag = whole.headers.get('ETag') ?? '';
  const part = (headers: Readonly<Record<string, string>>) => client.call('GET', content, { headers });
  const middle = await part({ Range: 'bytes=4-9', 'If-Range': etag });
  expect([middle.status, middle.headers.get('Content-Range')]).toEqual([206, `bytes 4-9/${whole.bytes.length}`]);
  expect(middle.bytes).toEqual(whole.bytes.subarray(4, 10));
  expect((await part({ Range: 'bytes=-3' })).bytes).toEqual(whole.bytes.subarray(-3));
  const changed = await part({ Range: 'bytes=4-9', 'If-Range': '"another"' });
  expect([changed.status, changed.bytes.length]).toEqual([200, whole.bytes.length]);
  expectProblem(await client.call('DELETE', `/v1/jobs/${id}`), 409, /has succeeded/);
});

test('the job of a PDF names the program and the version that laid out its pages; that of a .docx names none', async () => {
  const job = async (format: string): Promise<Job> => {
    const { id } = (await later({ data: { name: 'Ada' }, output: { format } })).json<Job>();
    return ended(id);
  };
  const engine = { name: 'LibreOffice', version: expect.stringMatching(/^\d+\.\d+\.\d+/) };
  expect(await job('pdf')).toMatchObject({ status: 'succeeded', engine });
  expect(await job('docx')).not.toHaveProperty('engine');
});

test('a failed job reports the same error as a synchronous request, and has no file', async () => {
  const request = { data: {}, output: { onMissing: 'error' } };
  const refused = expectProblem(await client.generate(templateId, request), 400);
  const { id } = (await later(request)).json<Job>();
  expect(await ended(id)).toMatchObject({ status: 'failed', error: refused });
  expectProblem(await client.call('GET', `/v1/jobs/${id}/content`), 404, /has failed/);
});

describe('list', () => {
  test('lists newest first, by status, by template and page by page', async () => {
    const own = await newClient();
    const ids: string[] = [];
    for (const name of ['a.docx', 'b.docx']) {
      const { id } = await own.template(name, letter('Dear {name}'));
      expect((await own.generate(id, { data: { name: 'Ada' } })).status).toBe(200);
      expect((await own.generate(id, { data: {}, output: { onMissing: 'error' } })).status).toBe(400);
      ids.push(id);
    }
    const list = async (query = ''): Promise<readonly string[]> => {
      const answer = await own.call('GET', `/v1/jobs${query}`);
      return answer.json<Job[]>().map((job) => `${ids.indexOf(job.templateId)} ${job.status}`);
    };
    expect(await list()).toEqual(['1 failed', '1 succeeded', '0 failed', '0 succeeded']);
    expect(await list('?status=failed')).toEqual(['1 failed', '0 failed']);
    expect(await list(`?templateId=${ids[0]}&status=succeeded`)).toEqual(['0 succeeded']);
    const first = await own.call('GET', '/v1/jobs?status=failed&limit=1');
    const next = new URL(/<([^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? '');
    expect(await list(next.search)).toEqual(['0 failed']);
  });

  test.each([
    ['status=done', 'status: must be queued, running, succeeded, failed or cancelled'],
    ['limit=0', 'limit: must be at least 1'],
    ['limit=1001', 'limit: must be at most 1,000'],
    ['limit=x', 'limit: must be a whole number'],
    ['templateId=5', 'templateId: must be the id of a template'],
    ['cursor=5', 'cursor: is not a cursor of this list'],
  ])('%s is refused', async (query, message) => {
    expect(expectProblem(await client.call('GET', `/v1/jobs?${query}`), 400).message).toBe(message);
  });
});

test('jobs of another account are not found', async () => {
  const { id } = (await later({ data: {} })).json<Job>();
  const other = await newClient();
  for (const path of [`/v1/jobs/${id}`, `/v1/jobs/${id}/content`]) {
    expectProblem(await other.call('GET', path), 404, /no job/);
  }
  expectProblem(await other.call('DELETE', `/v1/jobs/${id}`), 404, /no job/);
  expect((await ended(id)).status).toBe('succeeded');
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
  const { pathname, search } = new URL(/<([^>]*)>/.exec(first.headers.get('Link') ?? '')?.[1] ?? '');
  const second = await owner.call('GET', `${pathname}${search}`);
  expect(second.json<readonly Job[]>().map(({ id }) => id)).toEqual([invoice]);
  for (const wrong of ['', 'a', 'x'.repeat(321)])
    expectProblem(await owner.call('GET', `/v1/jobs?search=${wrong}`), 400, /search/);
});

import { describe, expect, inject, test } from 'vitest';
import { docxType, expectProblem } from '../../support/client/api-client.ts';
import {
  type QuotaAmounts,
  type Quotas,
  type TestClient,
  useService,
} from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { address, letter } from './samples.ts';

const stack = inject('stack');
const { newClient, mailbox } = await useService(stack);
const file = letter('Dear {name}');

function expectAddsUp({ allocated, remaining }: Quotas): void {
  const sides: readonly QuotaAmounts[] = [allocated, remaining];
  for (const unit of ['docs', 'templates'] as const) {
    for (const { subscriptions, credits, total } of sides)
      expect(total[unit]).toBe(subscriptions[unit] + credits[unit]);
    for (const source of ['subscriptions', 'credits', 'total'] as const) {
      expect(remaining[source][unit]).toBeGreaterThanOrEqual(0);
      expect(remaining[source][unit]).toBeLessThanOrEqual(allocated[source][unit]);
    }
  }
}

async function documentsLeft(client: TestClient) {
  const quotas = await client.quotas();
  expectAddsUp(quotas);
  const { subscriptions, credits, total } = quotas.remaining;
  return [subscriptions.docs, credits.docs, total.docs];
}

function countOf(statuses: readonly number[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('documents', () => {
  test('402 is returned before any work begins: there is no document and no e-mail', async () => {
    const client = await newClient({ docs: 0 });
    const { id } = await client.template('a.docx', file);
    const to = address();
    const answer = await client.generate(id, { data: {}, output: { email: { to: [to] } } });
    expectProblem(answer, 402);
    expect(answer.headers.get('Email-Delivery-Id')).toBeNull();
    expect((await client.call('GET', '/v1/jobs')).json()).toEqual([]);
    expect(await mailbox.to(to)).toEqual([]);
  });

  test('40 concurrent requests with 10 documents left make 10, and 30 get 402', async () => {
    const client = await newClient({ docs: 4, credits: [{ docs: 6 }] });
    const { id } = await client.template('a.docx', file);
    const requests = Array.from({ length: 40 }, (_, i) =>
      client.generate(id, { data: { name: `reader ${i}` }, output: { format: i % 5 === 0 ? 'pdf' : 'docx' } }),
    );
    const answers = await Promise.all(requests);
    expect(countOf(answers.map(({ status }) => status))).toEqual({ 200: 10, 402: 30 });
    for (const [i, { status, headers, bytes }] of answers.entries())
      if (status === 200 && headers.get('Content-Type') === docxType) expect(docxText(bytes)).toBe(`Dear reader ${i}`);
    expect(await documentsLeft(client)).toEqual([0, 0, 0]);
  });
});

describe('templates', () => {
  const left = async (client: TestClient) => {
    const quotas = await client.quotas();
    expectAddsUp(quotas);
    return quotas.remaining.total.templates;
  };

  test('an upload beyond the quota gets 402; a deletion frees a template, and a re-upload needs none', async () => {
    const client = await newClient({ templates: 1, credits: [{ docs: 0, templates: 1 }] });
    const { id } = await client.template('a.docx', file);
    await client.template('b.docx', file);
    expect(await left(client)).toBe(0);
    expectProblem(await client.upload('c.docx', file), 402, /template quota/i);
    expect((await client.reupload(id, 'a.docx', letter('{x}'))).status).toBe(200);
    expect((await client.call('DELETE', `/v1/templates/${id}`)).status).toBe(204);
    expect(await left(client)).toBe(1);
    expectProblem(await client.call('DELETE', `/v1/templates/${id}`), 404);
    expect(await left(client)).toBe(1);
    await client.template('c.docx', file);
    expectProblem(await client.upload('d.docx', file), 402);
    expect((await client.call('GET', '/v1/templates')).json<unknown[]>()).toHaveLength(2);
  });
});

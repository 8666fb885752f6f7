import { describe, expect, inject, test } from 'vitest';
import { docxType, expectProblem } from '../../support/client/api-client.ts';
import {
  type QuotaAmounts,
  type Quotas,
  type TestClient,
  useService,
} from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { expireNow } from '../../support/services/expire-now.ts';
import { address, letter } from './samples.ts';

const stack = inject('stack');
const { newClient, operator, mailbox } = await useService(stack);
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
  test('the subscription is used first, then the credits that expire soonest', async () => {
    const client = await newClient({ docs: 1, credits: [{ docs: 2 }] });
    await operator.grantCredits(client.accountId, 1, 0, '2090-01-01');
    await operator.grantCredits(client.accountId, 1, 0, '2080-01-01');
    const expired = { account: client.accountId, docs: 50, templates: 0, expires: '2070-01-01' };
    await expireNow(stack, 'credits', (await operator.run<{ creditsId: string }>('grant-credits', expired)).creditsId);
    const { id } = await client.template('a.docx', file);
    const seen = [await documentsLeft(client)];
    for (let i = 0; i < 5; i++) {
      expect((await client.generate(id, { data: {} })).status).toBe(200);
      seen.push(await documentsLeft(client));
    }
    expect(seen).toEqual([
      [1, 4, 5],
      [0, 4, 4],
      [0, 3, 3],
      [0, 2, 2],
      [0, 1, 1],
      [0, 0, 0],
    ]);
    expectProblem(await client.generate(id, { data: {} }), 402, /document quota/i);
    expect(await documentsLeft(client)).toEqual([0, 0, 0]);
  });

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

  test('a document that fails costs nothing', async () => {
    const client = await newClient({ docs: 2 });
    const { id } = await client.template('a.docx', file);
    for (const format of ['docx', 'pdf'])
      expectProblem(await client.generate(id, { data: { name: {} }, output: { format } }), 400);
    expect(await documentsLeft(client)).toEqual([2, 0, 2]);
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

  test('concurrent failures are refunded', async () => {
    const client = await newClient({ docs: 10 });
    const { id } = await client.template('a.docx', file);
    const requests = Array.from({ length: 40 }, () => client.generate(id, { data: { name: {} } }));
    const counts = countOf((await Promise.all(requests)).map(({ status }) => status));
    expect((counts[400] ?? 0) + (counts[402] ?? 0)).toBe(40);
    expect(counts[400]).toBeGreaterThanOrEqual(10);
    expect(await documentsLeft(client)).toEqual([10, 0, 10]);
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

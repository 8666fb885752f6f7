import { expect, inject, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { letter } from './samples.ts';

const { newClient } = await useService(inject('stack'));
const file = letter('Dear {name}');
const today = (): string => new Date().toISOString().slice(0, 10);

test('usage is reported by day, template and key', async () => {
  const client = await newClient({ docs: 10 });
  const { id } = await client.template('a.docx', file);
  const before = today();
  const made = await client.generate(id, { data: { name: 'Ada' } });
  const pdf = await client.generate(id, { data: { name: 'Ada' }, output: { format: 'pdf' } });
  expect([made.status, pdf.status]).toEqual([200, 200]);
  expect((await client.generate(id, { data: {}, output: { onMissing: 'error' } })).status).toBe(400);
  const bytes = made.bytes.length + pdf.bytes.length;
  const amounts = { documents: 2, pages: 1, bytes, failures: 1, cancelled: 0 };

  const byDay = (await client.call('GET', '/v1/account/usage')).json<{
    from: string;
    to: string;
    groups: { day: string }[];
  }>();
  expect(byDay).toMatchObject({ groupBy: 'day', totals: amounts, hasMore: false });
  expect([before, today()]).toContain(byDay.to);
  expect(byDay.groups.map(({ day }) => day).every((day) => day >= before)).toBe(true);
  const byTemplate = await client.call('GET', `/v1/account/usage?groupBy=template&from=${before}&to=${today()}`);
  expect(byTemplate.json()).toMatchObject({ from: before, groups: [{ templateId: id, ...amounts }] });
  const byKey = await client.call('GET', '/v1/account/usage?groupBy=key');
  expect(byKey.json()).toMatchObject({ groups: [{ keyId: client.keyId, ...amounts }] });
  const ofTemplate = await client.call('GET', `/v1/account/usage?groupBy=dayAndTemplate&templateId=${id}`);
  expect(ofTemplate.json()).toMatchObject({ totals: amounts });
  // Around midnight the documents belong to two days.
  const groups = ofTemplate.json<{ groups: { day: string; templateId: string; documents: number }[] }>().groups;
  expect(groups.every(({ day, templateId }) => templateId === id && day >= before && day <= today())).toBe(true);
  expect(groups.reduce((sum, { documents }) => sum + documents, 0)).toBe(amounts.documents);
  const ofNone = await client.call('GET', `/v1/account/usage?templateId=tpl_${'0'.repeat(26)}`);
  expect(ofNone.json()).toMatchObject({ totals: { documents: 0, failures: 0 }, groups: [] });
  const nothing = await client.call('GET', '/v1/account/usage?from=2020-01-01&to=2020-01-31');
  expect(nothing.json()).toMatchObject({ totals: { documents: 0, pages: 0, bytes: 0, failures: 0 }, groups: [] });
});

import { expect, test } from 'vitest';
import { cancelDocument, refundDocument } from '../../../../src/shared/domain/documents/fail-document.ts';
import { createTemplate } from '../../../../src/shared/domain/templates/create-template.ts';
import { readUsage } from '../../../../src/shared/domain/usage/read-usage.ts';
import { randomText } from '../../../../src/shared/ids.ts';
import { acceptOne, failOne, newAccount, produceOne, templateInput } from '../../../support/domain/accounts.ts';
import { useDatabase } from '../../../support/services/database.ts';

const { db, pool } = useDatabase();
const period = { from: new Date('2026-01-01'), to: new Date('2100-01-01'), limit: 100 };
const nothing = { documents: 0, pages: 0, bytes: 0, failures: 0, cancelled: 0 };

const make = (accountId: string, templateId: string, pages: number | null, keyId?: string): Promise<string> =>
  produceOne(db, { accountId, templateId }, { keyId }, { pages });

test('an account without requests has no usage', async () => {
  const { accountId } = await newAccount(db, { docs: 1 });
  expect(await readUsage(db, { accountId, ...period, groupBy: 'day' })).toEqual({
    totals: nothing,
    groups: [],
    hasMore: false,
  });
});

test('documents, pages, bytes, failures and cancellations add up in every grouping; others do not count', async () => {
  const { accountId, templateId } = await newAccount(db, { docs: 50, templates: 5 });
  const other = await newAccount(db, { docs: 5 });
  const { id: second } = await createTemplate(db, templateInput(accountId));
  await make(other.accountId, other.templateId, 7);
  await make(accountId, templateId, 3, 'key_a');
  await make(accountId, templateId, 2, 'key_b');
  await make(accountId, second, null, 'key_a');
  await refundDocument(db, await make(accountId, templateId, 100, 'key_b'));
  const accept = () => acceptOne(db, { accountId, templateId: second });
  await failOne(db, await accept());
  await cancelDocument(db, accountId, await accept());
  await accept();

  const totals = { documents: 3, pages: 5, bytes: 3 * 2_048, failures: 1, cancelled: 1 };
  const byDay = await readUsage(db, { accountId, ...period, groupBy: 'day' });
  expect(byDay).toEqual({
    totals,
    groups: [{ name: new Date().toISOString().slice(0, 10), ...totals }],
    hasMore: false,
  });
  const byTemplate = await readUsage(db, { accountId, ...period, groupBy: 'template' });
  expect(byTemplate.totals).toEqual(totals);
  expect(byTemplate.groups).toEqual([
    { name: templateId, ...nothing, documents: 2, pages: 5, bytes: 4_096 },
    { name: second, ...nothing, documents: 1, bytes: 2_048, failures: 1, cancelled: 1 },
  ]);
  const byKey = await readUsage(db, { accountId, ...period, groupBy: 'key', limit: 2 });
  expect(byKey.totals).toEqual(totals);
  expect(byKey.groups.map(({ name, documents }) => [name, documents])).toEqual([
    ['key_a', 2],
    ['key_b', 1],
  ]);
  expect(byKey.hasMore).toBe(true);
});

test('a day begins at midnight UTC and ends before the next', async () => {
  const { accountId, templateId } = await newAccount(db, { docs: 5 });
  const ids = [await make(accountId, templateId, 1), await make(accountId, templateId, 1)];
  const times = ['2026-03-01T00:00:00Z', '2026-03-01T23:59:59.999Z'];
  for (const [i, at] of times.entries()) {
    await pool.query("update ledger set created_at = $1 where generation_id = $2 and kind = 'settle'", [at, ids[i]]);
  }
  const read = (from: string, to: string) =>
    readUsage(db, { accountId, from: new Date(from), to: new Date(to), groupBy: 'day', limit: 9 });
  expect((await read('2026-03-01', '2026-03-02')).groups.map(({ name, documents }) => [name, documents])).toEqual([
    ['2026-03-01', 2],
  ]);
  expect((await read('2026-02-01', '2026-03-01')).totals).toEqual(nothing);
});

test('past days are aggregated once, each entry on its day, and match the ledger', async () => {
  const { accountId, templateId } = await newAccount(db, { docs: 50, templates: 5 });
  const { id: second } = await createTemplate(db, templateInput(accountId));
  const refunded = await make(accountId, templateId, 4, 'key_a');
  await refundDocument(db, refunded);
  const failing = await acceptOne(db, { accountId, templateId: second });
  await failOne(db, failing);
  const ids = [await make(accountId, templateId, 3, 'key_a'), await make(accountId, second, null), refunded, failing];
  for (const [i, day] of ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'].entries()) {
    await pool.query('update ledger set created_at = $1 where generation_id = $2', [`${day}T23:30:00Z`, ids[i]]);
  }
  await pool.query(`update ledger set created_at = '2026-03-02' where generation_id = $1 and kind = 'refund'`, [
    refunded,
  ]);
  await make(accountId, templateId, 2);
  const read = (groupBy: 'day' | 'template' | 'key') => readUsage(db, { accountId, ...period, groupBy });
  const [first, ...others] = await Promise.all([read('day'), read('day'), read('template'), read('key')]);
  const { rows } = await pool.query(
    'select count(*)::int as days from usage_days where account_id = $1 and template_id = $2',
    [accountId, ''],
  );
  expect(rows).toEqual([{ days: 4 }]);
  expect(first.groups.map(({ name, documents, pages, failures }) => [name, documents, pages, failures])).toEqual([
    ['2026-02-27', 1, 3, 0],
    ['2026-02-28', 1, 0, 0],
    ['2026-03-01', 1, 4, 0],
    ['2026-03-02', -1, -4, 1],
    [new Date().toISOString().slice(0, 10), 1, 2, 0],
  ]);
  const totals = { documents: 3, pages: 5, bytes: 3 * 2_048, failures: 1, cancelled: 0 };
  for (const usage of [first, ...others, await read('day')]) expect(usage.totals).toEqual(totals);
  expect(others[1]?.groups.map(({ name, documents }) => [name, documents])).toEqual([
    [templateId, 2],
    [second, 1],
  ]);
  expect(others[2]?.groups.map(({ name, documents }) => [name, documents])).toEqual([
    [null, 2],
    ['key_a', 1],
  ]);
});

test('usage by day and template has a group for each of the most used templates, and one for all others', async () => {
  const { accountId, templateId } = await newAccount(db, { docs: 10, templates: 20 });
  const key = randomText(8);
  const rows = Array.from({ length: 13 }, (_, n) => [`tpl_${key}_${String(n).padStart(2, '0')}`, 20 - n] as const);
  for (const [id, documents] of rows) {
    await pool.query(`insert into usage_days values ($1, '2026-01-10', $2, '', $3, 1, 10, 1, 0)`, [
      accountId,
      id,
      documents,
    ]);
  }
  await pool.query(
    `insert into usage_days values ($1, '2026-01-11', $2, '', 1, 1, 10, 0, 0), ($1, '2026-01-11', $3, 'key_a', 2, 0, 0, 0, 0)`,
    [accountId, rows[0]?.[0], rows[12]?.[0]],
  );
  await make(accountId, templateId, 3);
  const past = { from: new Date('2026-01-01'), to: new Date('2026-02-01'), limit: 100 };
  const { totals, groups, hasMore } = await readUsage(db, { accountId, ...past, groupBy: 'dayAndTemplate' });
  const others = 10 + 9 + 8;
  expect(totals).toMatchObject({ documents: 182 + 3, failures: 13 });
  expect(hasMore).toBe(false);
  expect(groups.map(({ name, templateId: id, documents }) => [name, id, documents])).toEqual([
    ['2026-01-10', null, others],
    ...rows.slice(0, 10).map(([id, documents]) => ['2026-01-10', id, documents]),
    ['2026-01-11', null, 2],
    ['2026-01-11', rows[0]?.[0], 1],
  ]);
  const ofOne = await readUsage(db, { accountId, ...past, groupBy: 'day', templateId: rows[12]?.[0] });
  expect(ofOne.groups).toMatchObject([
    { name: '2026-01-10', documents: 8 },
    { name: '2026-01-11', documents: 2 },
  ]);
  const today = await readUsage(db, { accountId, ...period, groupBy: 'dayAndTemplate', templateId });
  expect(today).toMatchObject({ totals: { documents: 1, pages: 3 }, groups: [{ templateId, documents: 1 }] });
});

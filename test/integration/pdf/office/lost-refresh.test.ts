import { expect, test } from 'vitest';
import { RefreshLost } from '../../../../src/worker/pdf/office/office-error.ts';
import { buildDocx } from '../../../support/documents/docx-builder.ts';
import { contents, fieldStyles, styled } from '../../../support/documents/field-builder.ts';
import { crashingPool } from './crashing-pool.ts';
import { fakeAgentPool } from './fake-agent.ts';
import { failureOf, page, textOf } from './office-fixture.ts';

const refreshing = 'say(id=number, event="refreshing")';

test.each([
  ['a crash during a refresh of fields is', refreshing, 'sys.exit(0)', 'worker_lost', true],
  ['a hang during a refresh of fields is', refreshing, 'time.sleep(600)', 'conversion_timeout', true],
  [
    'a crash after a refresh of fields is not',
    `${refreshing}\nsay(id=number, event="refreshed")`,
    'sys.exit(0)',
    'worker_lost',
    false,
  ],
])('%s blamed on the refresh', async (...values) => {
  const [, before, act, code, isBlamed] = values;
  const { pool } = await fakeAgentPool(`${before}\n${act}`, { convertTimeoutMs: 8_000 });
  const error = await failureOf(pool.convert({ docx: page('x') }));
  expect(error).toMatchObject({ code, slotLost: true });
  expect(error instanceof RefreshLost).toBe(isBlamed);
});

test('a document whose refresh crashes LibreOffice is converted without the refresh', async () => {
  const { pool } = await crashingPool();
  const body = contents('TOC \\o "1-2"', [{ label: 'Alpha', page: '9' }]) + styled('Heading1', 'Alpha');
  const docx = buildDocx({ body, parts: { 'word/styles.xml': fieldStyles } });
  expect(await failureOf(pool.convert({ docx }))).toBeInstanceOf(RefreshLost);
  const { pdf } = await pool.convert({ docx, refresh: false });
  expect(await textOf(pdf)).toMatch(/Alpha[\s.]*9/);
});

import { expect, test } from 'vitest';
import { acceptDocument } from '../../../src/shared/domain/documents/accept-document.ts';
import { historyOf, refuseQuarantined } from '../../../src/worker/documents/conversion-history.ts';
import { convertDocument } from '../../../src/worker/documents/convert-document.ts';
import { isRefreshUnsafe } from '../../../src/worker/documents/unsafe-refreshes.ts';
import { startRun } from '../../../src/worker/job-run.ts';
import { buildDocx } from '../../support/documents/docx-builder.ts';
import { contents, fieldStyles, styled } from '../../support/documents/field-builder.ts';
import { claimed, documentRequest, newAccount } from '../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';
import { crashingPool } from './office/crashing-pool.ts';
import { textOf } from './office/office-fixture.ts';

const { db, pool, url } = await useOwnDatabase();

test('a crash while indexes are refreshed costs one slot, and later documents of the template are not refreshed', async () => {
  const office = await crashingPool();
  const deps = { ...(await newWorkerDeps(db, url)), office: office.pool };
  const job = startRun(deps);
  const account = await newAccount(db, { docs: 2 });
  const body = contents('TOC \\o "1-2"', [{ label: 'Alpha', page: '9' }]) + styled('Heading1', 'Alpha');
  const docx = buildDocx({ body, parts: { 'word/styles.xml': fieldStyles } });
  for (const round of [1, 2]) {
    const request = documentRequest(account.templateId, { format: 'pdf' });
    await acceptDocument(db, account.accountId, request);
    const document = await claimed(db, request.id);
    expect(await isRefreshUnsafe(deps, document)).toBe(round === 2);
    const history = historyOf(deps, job, document);
    const { pdf, warnings } = await convertDocument(deps, job, { document, filled: { docx, fonts: [] }, history });
    expect(await textOf(pdf)).toMatch(/Alpha[\s.]*9/);
    expect(warnings.map(({ code }) => code)).toEqual(['refresh_skipped']);
    await refuseQuarantined(deps, document);
    expect(office.pool.status().restarts).toBe(2);
  }
  const { rows } = await pool.query('select count(*)::int as failures from conversion_failures');
  expect(rows).toEqual([{ failures: 0 }]);
});

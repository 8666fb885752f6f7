import { expect, it } from 'vitest';
import { exportAccount } from '../../../src/admin/export/export-account.ts';
import { newAccount } from '../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';
import { temporaryFolder } from './run-admin.ts';

const { db, pool, url } = await useOwnDatabase();

it('an export reads its rows in chunks, however many there are', async () => {
  const { objects } = await newWorkerDeps(db, url);
  const { accountId, templateId } = await newAccount(db, { docs: 1 });
  const count = 50_000;
  // Each statement ends within its time limit, even on a busy machine.
  const atOnce = 5_000;
  for (let first = 1; first <= count; first += atOnce) {
    await pool.query(
      `insert into generations (id, account_id, template_id, template_version, template_object_key, template_checksum, format, filename,
        status, data_checksum, accepted_at)
        select 'doc_zz' || lpad(i::text, 24, '0'), $1, $2, 1, 'k', 's', 'docx', repeat('x', 8000), 'failed', 's', now()
        from generate_series($3::int, $3::int + ${atOnce - 1}) i`,
      [accountId, templateId, first],
    );
  }
  const peak = { bytes: 0 };
  const before = process.memoryUsage.rss();
  const watch = setInterval(() => {
    peak.bytes = Math.max(peak.bytes, process.memoryUsage.rss() - before);
  }, 20);
  const result = await exportAccount({ db, objects }, accountId, temporaryFolder());
  clearInterval(watch);
  const documents = result.files.find(({ file }) => file === 'documents.ndjson');
  expect(documents?.rows).toBe(count);
  expect(documents?.sizeBytes).toBeGreaterThan(400_000_000);
  // Garbage that is not collected yet counts too.
  expect(peak.bytes).toBeLessThan(350_000_000);
});

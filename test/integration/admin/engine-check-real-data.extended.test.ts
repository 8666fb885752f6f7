import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTemplate } from '../../../src/shared/domain/templates/create-template.ts';
import { removeTemplate } from '../../../src/shared/domain/templates/remove-template.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { newAccount, templateInput } from '../../support/domain/accounts.ts';
import { newBatch } from '../../support/domain/batches.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';
import { runProgram, storageVariables, temporaryFolder } from './run-admin.ts';

const { db, url } = await useOwnDatabase();
const timeoutMs = 300_000;

/** A live template with a stored batch, and what the command needs to find both. */
async function templateWithBatch(rows: readonly object[]) {
  const deps = await newWorkerDeps(db, url);
  const { accountId, templateId: unused } = await newAccount(db, { templates: 10, docs: 10 });
  await removeTemplate(db, accountId, unused);
  const bytes = buildDocx({ body: paragraph('Dear {name}') });
  const checksum = createHash('sha256').update(bytes).digest('hex');
  const objectKey = `templates/${checksum}`;
  await deps.objects.put(objectKey, bytes, 'application/octet-stream');
  const input = templateInput(accountId, { objectKey, checksum, sizeBytes: bytes.length });
  const { id: templateId } = await createTemplate(db, input);
  const { batchId } = await newBatch(db, deps.objects, { accountId, templateId }, { rows });
  const env = { DATABASE_URL: url, ...storageVariables(deps.config) };
  const removeData = () => deps.objects.remove([`batches/${accountId}/${batchId}/input`]);
  return { accountId, templateId, env, removeData };
}

interface Result {
  readonly title: string;
  readonly content: string;
  readonly outcome: string;
  readonly comparison?: { readonly words: { readonly oldWords: number; readonly lost: number } };
}

function resultsIn(report: string): readonly Result[] {
  return JSON.parse(readFileSync(join(report, 'report.json'), 'utf8')).results;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

test(
  'stored data of clients is laid out only with --allow-real-data',
  async () => {
    // Names of two, three, four and five words: what was laid out shows in the number of words.
    const names = ['Ada Lovelace', 'Grace Brewster Hopper', 'Sofia Vasilyevna Kovalevskaya Korvin', 'A B C D E'];
    const { accountId, templateId, env, removeData } = await templateWithBatch(names.map((name) => ({ name })));
    const args = ['engine-check', '--old', 'system', '--new', 'system'];

    const careful = temporaryFolder();
    const without = await runProgram([...args, '--report', careful], env);
    expect(without).toMatchObject({ code: 0, out: { cases: 1, equal: 1 } });
    expect(resultsIn(careful)).toMatchObject([{ content: 'example data' }]);
    for (const file of filesIn(careful)) expect(readFileSync(file, 'utf8')).not.toMatch(/row \d|Lovelace|Hopper/);

    const allowed = temporaryFolder();
    const withData = await runProgram([...args, '--report', allowed, '--allow-real-data'], env);
    expect(withData).toMatchObject({ code: 0, out: { cases: 3, equal: 3 } });
    const found = resultsIn(allowed).map(({ title, content, comparison }) => ({
      row: title.slice(title.indexOf(', ') + 2),
      content,
      words: comparison?.words.oldWords,
    }));
    expect(found.sort((a, b) => (a.row < b.row ? -1 : 1))).toEqual([
      { row: 'row 1', content: 'filled', words: 3 },
      { row: 'row 2', content: 'filled', words: 4 },
      { row: 'row 3', content: 'filled', words: 5 },
    ]);

    // Nothing is read without the option: that the data is missing has no effect then.
    await removeData();
    expect(await runProgram([...args, '--report', temporaryFolder()], env)).toMatchObject({ code: 0 });
    const lost = await runProgram([...args, '--report', temporaryFolder(), '--allow-real-data'], env);
    expect(lost).toMatchObject({ code: 2, out: { cases: 3, failed: 3 } });
    await removeTemplate(db, accountId, templateId);
  },
  timeoutMs,
);

test('files have no stored data, so that --allow-real-data is refused with --folder', async () => {
  const folders = ['--folder', temporaryFolder(), '--report', temporaryFolder()];
  const refused = await runProgram([
    'engine-check',
    '--old',
    'system',
    '--new',
    'system',
    ...folders,
    '--allow-real-data',
  ]);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.problem).toContain('--allow-real-data is for templates of the service');
});

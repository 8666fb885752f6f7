import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeTemplate } from '../../../src/shared/domain/templates/remove-template.ts';
import { paragraph } from '../../support/documents/docx-builder.ts';
import { newBatch } from '../../support/domain/batches.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { runAdmin, runProgram, temporaryFolder } from './run-admin.ts';
import { newStoredTemplates } from './stored-templates.ts';

const { db, url } = await useOwnDatabase();

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

test('stored data of clients is laid out only with --allow-real-data', async () => {
  // Names of two to five words, so that the number of words shows which one was laid out.
  const names = ['Ada Lovelace', 'Grace Brewster Hopper', 'Sofia Vasilyevna Kovalevskaya Korvin', 'A B C D E'];
  const { deps, accountId, env, upload } = await newStoredTemplates(db, url);
  const templateId = await upload(paragraph('Dear {name}'));
  const rows = names.map((name) => ({ name }));
  const { batchId } = await newBatch(db, deps.objects, { accountId, templateId }, { rows });
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

  // Nothing is read without the option, so missing data has no effect.
  await deps.objects.remove([`batches/${accountId}/${batchId}/input`]);
  expect(await runProgram([...args, '--report', temporaryFolder()], env)).toMatchObject({ code: 0 });
  const lost = await runProgram([...args, '--report', temporaryFolder(), '--allow-real-data'], env);
  expect(lost).toMatchObject({ code: 2, out: { cases: 3, failed: 3 } });
  await removeTemplate(db, accountId, templateId);
});

test('--allow-real-data is refused with --folder, because files have no stored data', async () => {
  const folders = ['--folder', temporaryFolder(), '--report', temporaryFolder()];
  const line = ['engine-check', '--old', 'system', '--new', 'system', ...folders, '--allow-real-data'];
  const problem = expect.stringContaining('--allow-real-data is for templates of the service');
  expect(await runAdmin(line)).toMatchObject({ code: 2, problem });
});

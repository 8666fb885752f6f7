import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findTemplate } from '../../../src/shared/domain/templates/find-template.ts';
import { findGoldenData } from '../../../src/shared/domain/templates/golden-data.ts';
import { removeTemplate } from '../../../src/shared/domain/templates/remove-template.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { olderOffice } from '../../support/older-office.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { runProgram, temporaryFolder } from './run-admin.ts';
import { newStoredTemplates } from './stored-templates.ts';

const { db, url } = await useOwnDatabase();

const old = olderOffice();
const engineCheck = ['engine-check', '--old', old ?? '', '--new', 'system'];

test.skipIf(old === undefined)('files are laid out by two engines, and the report shows how they differ', async () => {
  const [files, report] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(join(files, 'plain.docx'), buildDocx({ body: paragraph('Nothing special') }));
  writeFileSync(join(files, '<b>odd&.docx'), buildDocx({ body: paragraph('Dear {name}') }));
  writeFileSync(join(files, '<b>odd&.json'), '{"name":"Ada"}');
  writeFileSync(join(files, 'broken.docx'), 'not a document');
  const args = [...engineCheck, '--folder', files, '--report', report];
  const first = await runProgram(args);
  expect(first.problem).toContain('3/3');
  // The broken file is a row of the report, and no engine makes a PDF of it.
  expect(first.out).toMatchObject({ cases: 3, notCompared: 1, failed: 0, missing: 0 });
  expect(first.out.oldEngine).toMatch(/ 7\.4\./);
  const page = readFileSync(join(report, 'index.html'), 'utf8');
  expect(page).toContain('&lt;b&gt;odd&amp;.docx');
  expect(page).not.toContain('<b>odd');
  const details = JSON.parse(readFileSync(join(report, 'report.json'), 'utf8'));
  const odd = details.results.find(({ title }: { title: string }) => title.includes('odd'));
  expect(odd).toMatchObject({
    content: 'filled',
    comparison: { oldPages: 1, newPages: 1, words: { oldWords: 2, lost: 0 } },
  });

  // The results of an earlier run are kept, and only a changed file is laid out again.
  const keptAt = JSON.stringify(odd);
  writeFileSync(join(files, 'plain.docx'), buildDocx({ body: paragraph('Something else') }));
  const second = await runProgram(args);
  expect(second.code).toBe(first.code);
  const again = JSON.parse(readFileSync(join(report, 'report.json'), 'utf8'));
  expect(JSON.stringify(again.results.find(({ title }: { title: string }) => title.includes('odd')))).toBe(keptAt);
});

test.skipIf(old === undefined)(
  'live templates are checked with stored data, and those that differ are pinned',
  async () => {
    const { accountId, env, upload } = await newStoredTemplates(db, url);
    const same = await upload(paragraph('Dear {name}'));
    const differs = await upload(paragraph('Dear Mrs {name}'));
    const removed = await upload(paragraph('{gone}'));
    await removeTemplate(db, accountId, removed);
    const golden = temporaryFolder();
    writeFileSync(join(golden, `${differs}.json`), '{"name":"Grace"}');
    const rules = temporaryFolder();
    // No difference exceeds the first thresholds, and every difference exceeds the second.
    writeFileSync(join(rules, 'default.json'), '{"thresholds":{"movedPt":500,"pixels":1,"fonts":100}}');
    writeFileSync(join(rules, `${differs}.json`), '{"thresholds":{"movedPt":0,"pixels":0}}');
    const report = temporaryFolder();
    const inputs = ['--rules', rules, '--golden', golden];
    const args = [...engineCheck, '--report', report, ...inputs, '--store-golden', '--pin-differences'];
    const { code, out } = await runProgram(args, env);
    expect(out).toMatchObject({ cases: 2, equal: 1, different: 1, failed: 0, pinned: [differs] });
    expect(code).toBe(1);
    expect((await findTemplate(db, accountId, differs)).engine).toBe('7.4');
    expect((await findTemplate(db, accountId, same)).engine).toBeNull();
    expect(await findGoldenData(db, differs)).toMatchObject([
      { name: 'golden', data: Buffer.from('{"name":"Grace"}') },
    ]);
  },
);

test.skipIf(old === undefined)(
  'a file without tags is prepared like a template, with a date that does not change from day to day',
  async () => {
    const [files, report] = [temporaryFolder(), temporaryFolder()];
    const date = '<w:fldSimple w:instr=" SAVEDATE \\@ yyyy-MM-dd "><w:r><w:t>old</w:t></w:r></w:fldSimple>';
    // Neither version of LibreOffice lays out a document whose styles are based on each other.
    const styles = ['A', 'B'].map(
      (id, i, all) =>
        `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/><w:basedOn w:val="${all[1 - i]}"/></w:style>`,
    );
    const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
    const parts = { 'word/styles.xml': `<w:styles xmlns:w="${word}">${styles.join('')}</w:styles>` };
    const body = `<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:r><w:t>saved </w:t></w:r>${date}</w:p>`;
    writeFileSync(join(files, 'plain.docx'), buildDocx({ body, parts }));
    writeFileSync(join(files, 'braces.docx'), buildDocx({ body: paragraph('A {brace of another kind') }));
    writeFileSync(join(files, 'broken.docx'), 'not a document');
    const { out } = await runProgram([...engineCheck, '--folder', files, '--report', report]);
    expect(out).toMatchObject({ cases: 3, notCompared: 1 });
    const { results } = JSON.parse(readFileSync(join(report, 'report.json'), 'utf8'));
    const contents = results.map(({ title, content }: Record<string, string>) => [title, content]);
    expect(new Map(contents)).toEqual(
      new Map([
        ['plain.docx', 'unfilled'],
        ['braces.docx', 'unfilled'],
        ['broken.docx', 'as it is'],
      ]),
    );
  },
);

test('a missing engine and invalid rules end the command with exit code 2', async () => {
  const [files, report] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(join(files, 'plain.docx'), buildDocx({ body: paragraph('x') }));
  const folders = ['--folder', files, '--report', report];
  const check = (old: string, ...more: string[]) =>
    runProgram(['engine-check', '--old', old, '--new', 'system', ...folders, ...more]);
  expect(await check('/nowhere')).toMatchObject({ code: 2, problem: expect.stringContaining('/nowhere') });
  const rules = temporaryFolder();
  writeFileSync(join(rules, 'plain.json'), '{"thresholds":{"pixel":1}}');
  const problem = expect.stringMatching(/plain\.json is invalid.*pixel/);
  expect(await check('system', '--rules', rules)).toMatchObject({ code: 2, problem });
});

import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { engineNames } from '../../../../../clients/cli/src/migrate/report.ts';
import { buildDocx, paragraph } from '../../../../support/documents/docx-builder.ts';
import { useFolder } from '../../../../support/folder.ts';
import { runInProcess } from '../run-in-process.ts';
import { readGuide, textOf } from './migration-case.ts';

const folder = useFolder();
beforeEach(folder.empty);

const write = (name: string, text: string) => folder.write(name, buildDocx({ body: paragraph(text) }));
const textAt = (name: string) => textOf(folder.read(name));

describe('docmill migrate', () => {
  test('writes a new file beside the old one and keeps both', async () => {
    const file = write('letter.docx', 'Dear {d.name}');
    const line = `migrate ${file} --from carbone`;
    const stdout = expect.stringContaining('1 rewritten, 0 unchanged, 0 left');
    expect(await runInProcess(line)).toMatchObject({ exitCode: 0, stdout });
    expect([textAt('letter.docmill.docx'), textAt('letter.docx')]).toEqual(['Dear {name}', 'Dear {d.name}']);

    folder.write('letter.docmill.docx', 'mine');
    expect((await runInProcess(line)).exitCode).toBe(2);
    expect(folder.text('letter.docmill.docx')).toBe('mine');
    expect((await runInProcess(`${line} --force`)).exitCode).toBe(0);
    expect(textAt('letter.docmill.docx')).toBe('Dear {name}');
  });

  test('each remaining tag is listed with its location, the reason and the line to write; the exit code is 1', async () => {
    const source = write('a.docx', 'Total of {d.a:formatC()} today');
    const { exitCode, stdout } = await runInProcess(`migrate ${source} --from carbone --json`);
    expect(exitCode).toBe(1);
    const finding = {
      ...{ status: 'left', part: 'body', context: 'Total of {d.a:formatC()} today', tag: '{d.a:formatC()}' },
      ...{ reason: expect.stringContaining('currency'), write: '{a | currency:"EUR"}' },
    };
    const report = { engine: 'carbone', left: 1, findings: [finding] };
    expect(JSON.parse(stdout)).toMatchObject({ files: [{ source, target: folder.at('a.docmill.docx'), report }] });
  });

  test('all templates of a folder are written to a new folder, and any other file is an error', async () => {
    for (const name of ['a', 'b', '~$b']) write(`in/${name}.docx`, `{d.${name.slice(-1)}}`);
    folder.write('in/c.docx', 'no zip');
    const { exitCode, stderr } = await runInProcess(`migrate ${folder.at('in')} --from carbone`);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('c.docx: The file is not a Word document');
    expect(folder.list('in-docmill')).toEqual(['a.docx', 'b.docx']);
    expect(['a', 'b'].map((name) => textAt(`in-docmill/${name}.docx`))).toEqual(['{a}', '{b}']);
  });

  test('a dry run writes nothing; wrong options exit with 2', async () => {
    const file = write('a.docx', '{{name}}');
    const exitCodeOf = async (...words: readonly string[]) =>
      (await runInProcess(['migrate', file, ...words])).exitCode;
    const words = ['--from', 'docxtemplater', '--delimiters', '{{ }}'];
    expect(await exitCodeOf(...words, '--dry-run')).toBe(0);
    expect(folder.list()).toEqual(['a.docx']);
    expect(await exitCodeOf(...words)).toBe(0);
    expect(textAt('a.docmill.docx')).toBe('{name}');
    expect(await exitCodeOf()).toBe(2);
    expect(await exitCodeOf('--from', 'docxtemplater', '--delimiters', '{{')).toBe(2);
  });

  test.each(engineNames)('the commands in the guide for %s', async (engine) => {
    const commands = [...readGuide(engine).matchAll(/^docmill (migrate .*)$/gm)].map(([, words = '']) => words);
    expect(commands.length).toBeGreaterThan(1);
    for (const name of ['invoice', 'letter', 'templates/offer']) write(`${name}.docx`, 'Dear Sir');
    for (const command of commands) {
      const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word);
      // `--data` fills the template, which needs a service: the acceptance tests cover it.
      const filled = words.indexOf('--data');
      const local = filled === -1 ? words : words.toSpliced(filled, 2);
      const isPath = /^(invoice|letter|templates|docmill-templates)/;
      const inFolder = local.map((word) => (isPath.test(word) ? folder.at(word) : word));
      expect(await runInProcess(inFolder)).toMatchObject({ exitCode: 0, stderr: '' });
    }
    for (const name of ['invoice.docmill.docx', 'docmill-templates/offer.docx'])
      expect(existsSync(folder.at(name))).toBe(true);
  });
});

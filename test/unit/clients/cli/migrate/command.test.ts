import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { engineNames } from '../../../../../clients/cli/src/migrate/report.ts';
import { buildDocx, paragraph } from '../../../../support/documents/docx-builder.ts';
import { runInProcess } from '../run-in-process.ts';
import { readGuide, textOf } from './migration-case.ts';

const folder = mkdtempSync(join(tmpdir(), 'docmill-migrate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
});

function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, buildDocx({ body: paragraph(text) }));
  return file;
}

describe('docmill migrate', () => {
  test('writes a new file beside the old one and keeps both', async () => {
    const file = write('letter.docx', 'Dear {d.name}');
    expect(await runInProcess(['migrate', file, '--from', 'carbone'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('1 rewritten, 0 unchanged, 0 left'),
    });
    const out = join(folder, 'letter.docmill.docx');
    expect(textOf(readFileSync(out))).toBe('Dear {name}');
    expect(textOf(readFileSync(file))).toBe('Dear {d.name}');

    writeFileSync(out, 'mine');
    expect((await runInProcess(['migrate', file, '--from', 'carbone'])).exitCode).toBe(2);
    expect(readFileSync(out, 'utf8')).toBe('mine');
    expect((await runInProcess(['migrate', file, '--from', 'carbone', '--force'])).exitCode).toBe(0);
    expect(textOf(readFileSync(out))).toBe('Dear {name}');
  });

  test('what is left is listed with its place, the reason and the line to write; the exit code is 1', async () => {
    const file = write('a.docx', 'Total of {d.a:formatC()} today');
    const { exitCode, stdout } = await runInProcess(['migrate', file, '--from', 'carbone', '--json']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      files: [
        {
          source: file,
          target: join(folder, 'a.docmill.docx'),
          report: {
            engine: 'carbone',
            left: 1,
            findings: [
              {
                status: 'left',
                part: 'body',
                context: 'Total of {d.a:formatC()} today',
                tag: '{d.a:formatC()}',
                reason: expect.stringContaining('currency'),
                write: '{a | currency:"EUR"}',
              },
            ],
          },
        },
      ],
    });
  });

  test('a folder: every template, into a new folder; what is no template is an error of its own', async () => {
    write('in/a.docx', '{d.a}');
    write('in/b.docx', '{d.b}');
    write('in/~$b.docx', '{d.b}');
    writeFileSync(join(folder, 'in/c.docx'), 'no zip');
    const { exitCode, stderr } = await runInProcess(['migrate', join(folder, 'in'), '--from', 'carbone']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('c.docx: The file is not a Word document');
    expect(textOf(readFileSync(join(folder, 'in-docmill/a.docx')))).toBe('{a}');
    expect(textOf(readFileSync(join(folder, 'in-docmill/b.docx')))).toBe('{b}');
    expect(existsSync(join(folder, 'in-docmill/~$b.docx'))).toBe(false);
  });

  test('a dry run writes nothing; wrong options are 2', async () => {
    const file = write('a.docx', '{{name}}');
    const words = ['migrate', file, '--from', 'docxtemplater', '--delimiters', '{{ }}'];
    expect((await runInProcess([...words, '--dry-run'])).exitCode).toBe(0);
    expect(existsSync(join(folder, 'a.docmill.docx'))).toBe(false);
    expect((await runInProcess(words)).exitCode).toBe(0);
    expect(textOf(readFileSync(join(folder, 'a.docmill.docx')))).toBe('{name}');
    expect((await runInProcess(['migrate', file])).exitCode).toBe(2);
    expect((await runInProcess(['migrate', file, '--from', 'word'])).exitCode).toBe(2);
    expect((await runInProcess([...words.slice(0, 4), '--delimiters', '{{'])).exitCode).toBe(2);
  });

  test.each(engineNames)('the commands of the guide from %s', async (engine) => {
    const commands = [...readGuide(engine).matchAll(/^docmill (migrate .*)$/gm)].map(([, words = '']) => words);
    expect(commands.length).toBeGreaterThan(1);
    for (const name of ['invoice', 'letter', 'templates/offer']) write(`${name}.docx`, 'Dear Sir');
    for (const command of commands) {
      const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word);
      // Filling needs a service: the acceptance tests do it.
      const filled = words.indexOf('--data');
      const local = filled === -1 ? words : words.toSpliced(filled, 2);
      const inFolder = local.map((word) =>
        /^(invoice|letter|templates|docmill-templates)/.test(word) ? join(folder, word) : word,
      );
      expect(await runInProcess(inFolder)).toMatchObject({ exitCode: 0, stderr: '' });
    }
    expect(existsSync(join(folder, 'invoice.docmill.docx'))).toBe(true);
    expect(existsSync(join(folder, 'docmill-templates/offer.docx'))).toBe(true);
  });
});

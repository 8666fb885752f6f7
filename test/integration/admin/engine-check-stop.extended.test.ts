import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { isLarge } from '../../support/extended.ts';
import { untilGone } from '../../support/services/processes.ts';
import { endlessDocx, until } from '../pdf/office/office-fixture.ts';
import { type RunningCommand, runProgram, startAdmin, temporaryFolder } from './run-admin.ts';

const engineCheck = ['engine-check', '--old', 'system', '--new', 'system'];

/** The processes that a process has started, directly or not. */
function descendantsOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const children = tasks.flatMap(
      (task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').match(/\d+/g) ?? [],
    );
    return children.flatMap((child) => [Number(child), ...descendantsOf(Number(child))]);
  } catch {
    return [];
  }
}

/** Signals all processes of the group, as Ctrl-C in a terminal does. */
function interrupt({ process: { pid = 0 } }: RunningCommand): void {
  process.kill(-pid, 'SIGINT');
}

/** What the command has left in its folder for temporary files. */
const remains = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('docmill'));

test('Ctrl-C ends the check at once, with a report of what is done, and leaves no process and no file', async () => {
  const [files, report, temporary] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  writeFileSync(join(files, 'a.docx'), buildDocx({ body: paragraph('Nothing special') }));
  writeFileSync(join(files, 'b.docx'), endlessDocx());
  writeFileSync(join(files, 'c.docx'), buildDocx({ body: paragraph('Nothing either') }));
  const args = [...engineCheck, '--folder', files, '--report', report, '--jobs', '1', '--timeout-seconds', '600'];
  const command = startAdmin(args, { TMPDIR: temporary });
  await command.sees('1/3');
  const started = descendantsOf(command.process.pid ?? 0);
  expect(started.length).toBeGreaterThan(3);
  expect(remains(temporary)).not.toEqual([]);
  interrupt(command);
  const { code, out, problem } = await command.done;
  expect(code).toBe(2);
  expect(out).toMatchObject({ cases: 3, missing: 2, failed: 0 });
  expect(problem).toContain('stopped: 1 of 3 are in the report; the same command checks the others');
  expect(readFileSync(join(report, 'index.html'), 'utf8')).toContain('a.docx');
  await untilGone(started);
  expect(remains(temporary)).toEqual([]);

  // The same command continues, here without the document that takes minutes.
  writeFileSync(join(files, 'b.docx'), buildDocx({ body: paragraph('Short') }));
  const again = await runProgram(args, { TMPDIR: temporary });
  expect(again).toMatchObject({ code: 0, out: { cases: 3, missing: 0 } });
  expect(remains(temporary)).toEqual([]);
});

test.each(isLarge ? [0, 100, 1_000] : [100])(
  'Ctrl-C %d ms after LibreOffice begins to start leaves no process and no file',
  async (delayMs) => {
    const [files, report, temporary] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    // On a fast machine, a usual document would be done by then.
    writeFileSync(join(files, 'a.docx'), endlessDocx());
    const args = [...engineCheck, '--folder', files, '--report', report, '--timeout-seconds', '600'];
    const command = startAdmin(args, { TMPDIR: temporary });
    await command.sees('starting');
    await until(() => descendantsOf(command.process.pid ?? 0).length > 0);
    await delay(delayMs);
    const started = descendantsOf(command.process.pid ?? 0);
    interrupt(command);
    expect(await command.done).toMatchObject({ code: 2, out: { cases: 1, missing: 1 } });
    expect(existsSync(join(report, 'index.html'))).toBe(true);
    await untilGone(started);
    expect(remains(temporary)).toEqual([]);
  },
);

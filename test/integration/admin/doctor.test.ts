import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { olderOffice } from '../../support/older-office.ts';

const run = promisify(execFile);
const older = olderOffice();

async function doctor(env: Readonly<Record<string, string>> = {}): Promise<Record<string, unknown>> {
  const args = ['--import', 'tsx', 'src/admin/main.ts', 'doctor', '--json'];
  const { stdout } = await run(process.execPath, args, {
    env: { ...process.env, DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', ...env },
  });
  return JSON.parse(stdout);
}

describe('doctor', () => {
  test('reports the LibreOffice that a worker would run, and its jail', async () => {
    expect(await doctor()).toEqual({
      node: process.versions.node,
      office: {
        name: 'LibreOffice',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        program: expect.stringMatching(/soffice/),
        python: expect.any(String),
        jail: expect.stringMatching(/^(bubblewrap|namespaces|bare)/),
        startMs: expect.any(Number),
      },
      fonts: {
        families: expect.any(Number),
        scripts: expect.arrayContaining(['Arab', 'Deva', 'Hans', 'Hebr', 'Jpan', 'Kore', 'Latn', 'Thai', 'Zsye']),
        missingScripts: [],
      },
    });
  });

  test.skipIf(older === undefined)('follows OFFICE_PATH', async () => {
    const { office, fonts } = await doctor({ OFFICE_PATH: older ?? '' });
    // It cannot draw the font of emoji.
    expect(fonts).toMatchObject({ missingScripts: ['Zsye'] });
    expect(office).toMatchObject({
      version: expect.stringMatching(/^7\.4\./),
      program: join(older ?? '', 'program/soffice.bin'),
    });
  });

  test('says why no LibreOffice starts', async () => {
    await expect(doctor({ OFFICE_PATH: '/nowhere' })).rejects.toThrow(/LibreOffice was not found \(tried \/nowhere\)/);
  });
});

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { olderOffice } from '../../../support/older-office.ts';
import { failureOf, infoOf, officePid, page, textOf } from './office-fixture.ts';
import { poolForTest, useOffice } from './pool-for-test.ts';

const folder = olderOffice();

describe.skipIf(folder === undefined)('LibreOffice 7.4 in a folder of its own', () => {
  const office = useOffice({ sofficePath: folder });

  test('is the one that runs, and uses nothing of the LibreOffice of the system', async () => {
    const status = office.pool.status();
    expect(status.engine).toEqual({ name: 'LibreOffice', version: expect.stringMatching(/^7\.4\.\d/) });
    expect((await office.pool.convert({ docx: page('engine') })).engine).toEqual(status.engine);
    const mapped = readFileSync(`/proc/${await officePid(office)}/maps`, 'utf8');
    expect(mapped).toContain(`${folder}/program/libswlo.so`);
    expect(mapped).not.toContain('/usr/lib/libreoffice');
  });

  test('runs in the same jail', async () => {
    const system = (await poolForTest()).pool.status();
    expect(office.pool.status().jail).toBe(system.jail);
    expect(system.engine?.version).not.toMatch(/^7\.4\./);
  });

  // Its working folder lets only root in, so root creates the jail and drops its rights inside.
  test.runIf(process.getuid?.() === 0)('runs in a jail that root creates, too', async () => {
    const parent = mkdtempSync('/dev/shm/docmill-test-');
    onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
    const { pool } = await poolForTest({ sofficePath: folder, tempDir: `${parent}/pools` });
    expect(pool.status().jail).toMatch(/^bubblewrap/);
    expect((await pool.convert({ docx: page('as root') })).engine.version).toMatch(/^7\.4\./);
  });

  test.each(readdirSync('examples').filter((name) => name.endsWith('.docx')))('converts %s', async (name) => {
    const { pdf, pages } = await office.pool.convert({ docx: readFileSync(`examples/${name}`) });
    expect(await infoOf(pdf)).toMatch(new RegExp(`Pages:\\s+${pages}\\n`));
    expect((await textOf(pdf)).trim()).not.toBe('');
  });

  test('refuses a file that is not a document and continues', async () => {
    const failure = await failureOf(office.pool.convert({ docx: Buffer.from('PK\x03\x04 and nothing else') }));
    expect(failure).toMatchObject({ code: 'conversion_failed', slotLost: false });
    expect((await office.pool.convert({ docx: page('again') })).pages).toBe(1);
  });
});

import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listInstalledFonts } from '../../../../src/worker/pdf/office/installed-fonts.ts';
import { buildPostScriptFont } from '../../../support/documents/postscript-font.ts';

const carlito = '/usr/share/fonts/truetype/crosextra/Carlito-Regular.ttf';
let dir: string;

/** Limits fontconfig to the given folders. */
async function knowing(...folders: string[]): Promise<void> {
  const config = join(dir, 'fonts.conf');
  const dirs = folders.map((folder) => `<dir>${folder}</dir>`).join('');
  await writeFile(config, `<fontconfig>${dirs}<cachedir>${dir}/cache</cachedir></fontconfig>`);
  vi.stubEnv('FONTCONFIG_FILE', config);
}

beforeEach(async () => {
  dir = await mkdtemp('/dev/shm/docmill-fonts-');
  await mkdir(join(dir, 'home'));
  await copyFile(carlito, join(dir, 'home/carlito.ttf'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(dir, { recursive: true });
});

test('a font that LibreOffice cannot see is not reported as installed', async () => {
  await knowing('/usr/share/fonts/truetype/liberation', join(dir, 'home'));
  const fonts = await listInstalledFonts();
  expect(fonts?.families).toContain('Liberation Sans');
  expect(fonts?.families).not.toContain('Carlito');
  expect(fonts?.unavailable).toEqual(['Carlito']);
});

test('a font that is in both places is reported as installed', async () => {
  await knowing('/usr/share/fonts', join(dir, 'home'));
  const fonts = await listInstalledFonts();
  expect(fonts?.families).toContain('Carlito');
  expect(fonts?.unavailable).toEqual([]);
});

test('the fonts included in LibreOffice are reported as installed, except PostScript fonts, which it cannot read', async () => {
  const program = join(dir, 'office/program');
  const fonts = join(dir, 'office/share/fonts/truetype');
  await mkdir(program, { recursive: true });
  await mkdir(fonts, { recursive: true });
  await writeFile(join(program, 'soffice'), '', { mode: 0o755 });
  await copyFile(carlito, join(fonts, 'carlito.ttf'));
  await writeFile(join(fonts, 'acme.pfa'), buildPostScriptFont('Acme Script'));
  await knowing('/usr/share/fonts/truetype/liberation');
  const families = (await listInstalledFonts(join(program, 'soffice')))?.families;
  expect(families).toContain('Carlito');
  expect(families).not.toContain('Acme Script');
});

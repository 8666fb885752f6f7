import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkFonts } from '../../../../src/shared/fonts.ts';
import { fontSettings } from '../../../../src/worker/pdf/office/font-settings.ts';
import { buildPostScriptFont } from '../../../support/documents/postscript-font.ts';
import { testFonts } from '../../../support/fonts.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docmill-font-settings-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** LibreOffice's settings on a machine with the fonts of the tests and these fontconfig rules. */
function settingsWith(rules: string): string {
  const machine = join(folder, 'machine.conf');
  writeFileSync(machine, readFileSync(testFonts, 'utf8').replace('</fontconfig>', `${rules}</fontconfig>`));
  vi.stubEnv('FONTCONFIG_FILE', machine);
  const settings = join(folder, 'fonts.conf');
  writeFileSync(settings, fontSettings({ drawsPictureFonts: true }));
  return settings;
}

const ask = (settings: string, program: string, ...args: string[]): string =>
  execFileSync(program, ['--format', '%{family[0]}\n', ...args], {
    encoding: 'utf8',
    env: { ...process.env, FONTCONFIG_FILE: settings },
  });

test('the substitute is the one that the upload names, whatever fonts the machine prefers for the name', () => {
  const names = ['Helvetica', 'Helvetica Narrow', 'Times', 'Courier', 'Symbol', 'Bitstream Vera Serif', 'Acme Sans'];
  // The rules that the package fonts-urw-base35, which ImageMagick installs, has for its fonts.
  const thai = '<family>Noto Sans Thai</family>';
  const aliases = names.map((name) => `<alias binding="same"><family>${name}</family><accept>${thai}</accept></alias>`);
  const generic = `<alias><family>sans-serif</family><prefer>${thai}</prefer></alias>`;
  const settings = settingsWith(aliases.join('') + generic);
  const installed = ask(settings, 'fc-list').split('\n');
  expect(installed).toContain('Noto Sans Thai');
  expect(names.map((name) => ask(settings, 'fc-match', name).trim())).toEqual(
    checkFonts(names, installed).map(({ substitute }) => substitute),
  );
});

test('a PostScript font is not used, because LibreOffice cannot read it', () => {
  writeFileSync(join(folder, 'acme.pfa'), buildPostScriptFont('Acme Script'));
  const settings = settingsWith(
    `<dir>${folder}</dir><selectfont><acceptfont><glob>*.pfa</glob></acceptfont></selectfont>`,
  );
  expect(ask(process.env.FONTCONFIG_FILE ?? '', 'fc-match', 'Acme Script')).toBe('Acme Script\n');
  expect(ask(settings, 'fc-match', 'Acme Script')).not.toBe('Acme Script\n');
});

test('settings that are not valid for fontconfig are refused', () => {
  const file = join(folder, 'notes.txt');
  writeFileSync(file, 'fonts');
  vi.stubEnv('FONTCONFIG_FILE', file);
  expect(() => fontSettings({ drawsPictureFonts: true })).toThrow(`FONTCONFIG_FILE must name a fontconfig file`);
});

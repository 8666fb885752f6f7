import { expect, test } from 'vitest';
import { slotSettings } from '../../../../src/worker/pdf/office/agent/agent-settings.ts';

const inner = { profileDir: '/s/profile', jobsDir: '/s/jobs', temporaryDir: '/s/tmp', agentDir: '/s/agent' };

function readableWith(soffice: string, python: string): string[] {
  const settings = slotSettings(inner, { soffice, python, allocator: undefined }, { memoryLimitBytes: 1 });
  return JSON.parse(settings).paths.read;
}

test.each([
  ['/usr/lib/libreoffice/program/soffice.bin', '/bin/python3'],
  ['/bin/soffice', '/python3'],
])('programs in the root folder open nothing: %s, %s', (soffice, python) => {
  const paths = readableWith(soffice, python);
  expect(paths).not.toContain('/');
  expect(paths).not.toContain('.');
  expect(paths).toContain('/usr');
});

test('programs of a folder of their own open that folder', () => {
  const paths = readableWith('/opt/libreoffice7.6/program/soffice.bin', '/opt/venv/bin/python');
  expect(paths).toEqual(expect.arrayContaining(['/opt/libreoffice7.6', '/opt/venv']));
});

import { expect, test } from 'vitest';
import { agentSettings } from '../../../../src/worker/pdf/office/agent/agent-settings.ts';

const inner = { profileDir: '/s/profile', jobsDir: '/s/jobs', temporaryDir: '/s/tmp', agentDir: '/s/agent' };

function readableWith(soffice: string, python: string): string[] {
  const settings = agentSettings(
    inner,
    { soffice, python, bridgeDir: undefined, drawsFormulas: true, drawsPictureFonts: true, allocator: undefined },
    { memoryLimitBytes: 1, convertTimeoutMs: 60_000 },
  );
  return JSON.parse(settings).paths.read;
}

test.each([
  ['/usr/lib/libreoffice/program/soffice.bin', '/bin/python3'],
  ['/bin/soffice', '/python3'],
])('programs in the root folder make nothing readable: %s, %s', (soffice, python) => {
  const paths = readableWith(soffice, python);
  expect(paths).not.toContain('/');
  expect(paths).not.toContain('.');
  expect(paths).toContain('/usr');
});

test('programs in a folder of their own make that folder readable', () => {
  const paths = readableWith('/opt/libreoffice7.6/program/soffice.bin', '/opt/venv/bin/python');
  expect(paths).toEqual(expect.arrayContaining(['/opt/libreoffice7.6', '/opt/venv']));
});

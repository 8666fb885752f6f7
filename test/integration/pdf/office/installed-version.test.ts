import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readInstalledVersion } from '../../../../src/worker/pdf/office/installed-version.ts';
import { olderOffice } from '../../../support/older-office.ts';

const older = olderOffice();

test('the version of the given LibreOffice is read without a search path', async () => {
  vi.stubEnv('PATH', '/nowhere');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await readInstalledVersion()).toMatch(/^\d+\.\d+\.\d+/);
  if (older !== undefined) expect(await readInstalledVersion(older)).toMatch(/^7\.4\.\d/);
});

test('a program that reports no version is refused with what it prints', async () => {
  const folder = mkdtempSync('/tmp/docmill-version-');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'soffice');
  writeFileSync(program, '#!/bin/sh\necho "Office $PATHS of $SECRET_OF_TEST"\n', { mode: 0o755 });
  vi.stubEnv('SECRET_OF_TEST', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(readInstalledVersion(program)).rejects.toThrow(
    /^LibreOffice does not report its version: Office {2}of$/,
  );
});

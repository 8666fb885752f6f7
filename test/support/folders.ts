import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Returns a function that makes a new folder. All of them are removed after the tests of the file. */
export function useFolders(): () => string {
  const parent = mkdtempSync(join(tmpdir(), 'docmill-test-'));
  afterAll(() => rmSync(parent, { recursive: true, force: true }));
  return () => mkdtempSync(join(parent, 'folder-'));
}

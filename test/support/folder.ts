import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

export interface TestFolder {
  readonly path: string;
  readonly at: (name: string) => string;
  /** Writes a file, creates its folders, and returns its path. */
  readonly write: (name: string, content: string | Uint8Array) => string;
  readonly read: (name: string) => Buffer;
  readonly text: (name: string) => string;
  /** The sorted names in a subfolder, by default in the folder itself. */
  readonly list: (name?: string) => readonly string[];
  readonly empty: () => void;
  /** Creates a subfolder. */
  readonly below: () => TestFolder;
}

/** Creates a folder that no other test uses, and removes it after the tests of the file. */
export function useFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'docmill-test-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return folderAt(path);
}

/**
 * Returns a function that makes a new folder and returns its path. All of them are removed after the tests of the file.
 */
export function useFolders(): () => string {
  const parent = useFolder();
  return () => parent.below().path;
}

function folderAt(path: string): TestFolder {
  const at = (name: string) => join(path, name);
  return {
    path,
    at,
    write(name, content) {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), content);
      return at(name);
    },
    read: (name) => readFileSync(at(name)),
    text: (name) => readFileSync(at(name), 'utf8'),
    list: (name = '.') => readdirSync(at(name)).sort(),
    empty() {
      for (const name of readdirSync(path)) rmSync(at(name), { recursive: true });
    },
    below: () => folderAt(mkdtempSync(at('below-'))),
  };
}

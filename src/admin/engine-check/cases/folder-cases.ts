import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UsageError } from '../../parse-command.ts';
import { type Case, toCaseId } from './case.ts';

/** Finds every .docx file below a folder. `<name>.json` beside a file holds the data to fill it with. */
export async function findFolderCases(folder: string): Promise<readonly Case[]> {
  const entries = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new UsageError(`--folder ${folder} cannot be read: ${error instanceof Error ? error.message : error}`);
  });
  const files = new Set(entries);
  return entries
    .filter((path) => /\.docx$/i.test(path) && !basename(path).startsWith('~$'))
    .sort()
    .map((path) => toCase(folder, path, files));
}

function toCase(folder: string, path: string, files: ReadonlySet<string>): Case {
  const data = path.replace(/\.docx$/i, '.json');
  return {
    id: toCaseId(path),
    title: path,
    ruleNames: [basename(path), basename(path).replace(/\.docx$/i, '')],
    load: async () => ({
      template: await readFile(join(folder, path)),
      data: files.has(data) ? await readFile(join(folder, data)) : undefined,
    }),
  };
}

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../../../tools/local/build.ts';
import { projectFolder } from '../harness/service-process.ts';

const marker = /^([ \t]*)\/\/ failpoint: ([a-z-]+)[ \t]*$/gm;
const instrumented = new Set(['api', 'worker', 'shared']);

/**
 * The production build with a call in place of every marker comment, in a folder laid out like the project. It is
 * copied once for each build, because a loader that rewrites modules would take half of the start time of a process.
 */
export async function buildWithFailpoints(): Promise<string> {
  await ensureBuilt(projectFolder, process.env, () => undefined, new AbortController().signal);
  const stamp = readFileSync(join(projectFolder, 'dist/.built-from'), 'utf8').slice(0, 16);
  const parent = join(projectFolder, 'out/failpoints');
  const target = join(parent, stamp);
  if (existsSync(target)) return target;
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'new-'));
  for (const name of ['scripts', 'drizzle', 'package.json']) symlinkSync(join(projectFolder, name), join(folder, name));
  for (const name of readdirSync(join(projectFolder, 'dist'))) copyPart(name, folder);
  try {
    renameSync(folder, target);
  } catch {
    // Another process has made it meanwhile.
    rmSync(folder, { recursive: true });
  }
  return target;
}

function copyPart(name: string, folder: string): void {
  const [from, to] = [projectFolder, folder].map((each) => join(each, 'dist', name)) as [string, string];
  mkdirSync(join(folder, 'dist'), { recursive: true });
  if (!instrumented.has(name)) {
    symlinkSync(from, to);
    return;
  }
  cpSync(from, to, { recursive: true });
  for (const file of readdirSync(to, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.js'))) {
    const source = readFileSync(join(to, file), 'utf8');
    // Only in the threads and processes that load register.mjs.
    const changed = source.replace(marker, "$1await globalThis.failpoint?.('$2');");
    if (changed !== source) writeFileSync(join(to, file), changed);
  }
}

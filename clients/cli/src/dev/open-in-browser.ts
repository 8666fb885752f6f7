import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens an address with a token in the user's browser. Other users can read program arguments, so the browser opens a
 * private file that redirects there. A machine without a browser is not an error. The returned function removes the
 * file.
 */
export async function openInBrowser(address: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'docmill-dev-'));
  const file = join(folder, 'open.html');
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${address}">`;
  await writeFile(file, page, { mode: 0o600, flag: 'wx' });
  const [program = 'xdg-open', ...words] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...words, pathToFileURL(file).href], { stdio: 'ignore', detached: true });
  child.unref();
  await Promise.race([once(child, 'spawn'), once(child, 'error')]).catch(() => undefined);
  child.on('error', () => undefined);
  return () => rm(folder, { recursive: true, force: true });
}

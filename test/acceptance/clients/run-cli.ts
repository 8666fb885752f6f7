import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

export interface CliRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const root = resolve(import.meta.dirname, '../../..');

/** The command line that was built before the tests. */
export const cliProgram = resolve(root, 'clients/cli/dist/main.js');

/** Runs the command line as a process of its own, with this key of a service. */
export function runCli(
  words: readonly string[],
  service: { readonly url: string; readonly apiKey: string },
  variables: Readonly<Record<string, string>> = {},
): Promise<CliRun> {
  const own = { DOCMILL_URL: service.url, DOCMILL_API_KEY: service.apiKey, NO_COLOR: '1' };
  const env = { ...process.env, ...variables, ...own };
  return new Promise((done) => {
    execFile(
      process.execPath,
      [cliProgram, ...words],
      { cwd: root, env, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        done({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });
}

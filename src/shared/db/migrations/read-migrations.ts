import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { z } from 'zod';

/** A file of `drizzle/`, written by `npm run db:generate`. */
export interface Migration {
  /** The file name without its extension. */
  readonly tag: string;
  /** The time of creation, in milliseconds since the epoch, by which Drizzle's journal identifies a migration. */
  readonly writtenAtMs: number;
  /** SHA-256 of the file, hex. */
  readonly hash: string;
  /** The statements between the breakpoints. */
  readonly statements: readonly string[];
  /** The newest migration that a release must include to run without what this migration removes. */
  readonly contract: { readonly needs: string } | undefined;
}

const journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) });
const contractMarker = /^-- contract: needs (\S+)$/m;

/** The migrations that this release was built with. */
export const releaseFolder = fileURLToPath(new URL('../../../../drizzle', import.meta.url));

/** The migrations of a folder, in order. Throws if a file is missing or the journal is invalid. */
export function readMigrations(folder: string = releaseFolder): readonly Migration[] {
  const files = readMigrationFiles({ migrationsFolder: folder });
  const { entries } = journal.parse(JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')));
  return files.map(({ hash, sql }, index) => {
    const { tag = '', when = 0 } = entries[index] ?? {};
    const needs = contractMarker.exec(sql.join('\n'))?.[1];
    return {
      tag,
      writtenAtMs: when,
      hash,
      statements: sql.filter((statement) => withoutComments(statement) !== ''),
      contract: needs === undefined ? undefined : { needs },
    };
  });
}

/** A statement without leading comments, trimmed. */
export function withoutComments(statement: string): string {
  return statement.replace(/^(\s+|--[^\n]*(\n|$)|\/\*[\s\S]*?\*\/)+/, '').trim();
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { z } from 'zod';

/** A file of `drizzle/`, written by `npm run db:generate`. */
export interface Migration {
  /** The name of the file, without its ending. */
  readonly tag: string;
  /** When it was written, in milliseconds of the epoch; Drizzle's journal identifies migrations by it. */
  readonly writtenAtMs: number;
  /** SHA-256 of the file, hex. */
  readonly hash: string;
  /** The statements between the breakpoints. */
  readonly statements: readonly string[];
  /** The newest migration that a release must have so that it runs without what this migration removes. */
  readonly contract: { readonly needs: string } | undefined;
}

const journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) });
const contractMarker = /^-- contract: needs (\S+)$/m;

/** The migrations that this release was built with. */
export const releaseFolder = fileURLToPath(new URL('../../../../drizzle', import.meta.url));

/** The migrations of a folder, in order. Throws when a file is missing or the journal is not one. */
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

/** A statement without the comments before it, trimmed. */
export function withoutComments(statement: string): string {
  return statement.replace(/^(\s+|--[^\n]*(\n|$)|\/\*[\s\S]*?\*\/)+/, '').trim();
}

import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { hasCode } from '../error-code.ts';

const recordSchema = z.object({
  /** Identifies the request; see `fingerprintOf`. */
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  /** Counts the batches of one request from 1; --new starts another one. */
  sequence: z.int().min(1),
  /** The address of the service. */
  url: z.string(),
  templateId: z.string(),
  templateVersion: z.number(),
  /** Every attempt sends the rows with this key, so that they are charged once. */
  idempotencyKey: z.string(),
  /** When the rows were first sent (ISO 8601). */
  sentAt: z.string(),
  /** The absolute path of the resulting file or folder. */
  output: z.string(),
  batchId: z.string().optional(),
  /** When the result was written to `output`. */
  savedAt: z.string().optional(),
});

/** The record of a batch on this machine. It contains no data and no API key. */
export type BatchRecord = z.infer<typeof recordSchema>;

type Environment = Readonly<Record<string, string | undefined>>;

const dayMs = 86_400_000;
const keptMs = 30 * dayMs;

/**
 * Identifies a request by its service, template, options and rows. Neither the key nor the output path is part of it.
 */
export function fingerprintOf(request: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex');
}

/** `$XDG_STATE_HOME/docmill/batches`, or below `~/.local/state`. */
function folderOf(env: Environment): string {
  const configured = env.XDG_STATE_HOME ?? '';
  const home = env.HOME ?? homedir();
  return join(isAbsolute(configured) ? configured : join(home, '.local', 'state'), 'docmill', 'batches');
}

/** The newest record of a request. */
export function findRecord(env: Environment, fingerprint: string): BatchRecord | undefined {
  const records = readRecords(env).filter((record) => record.fingerprint === fingerprint);
  return records.sort((a, b) => b.sequence - a.sequence)[0];
}

/** The record of a batch started on this machine. */
export function findRecordOfBatch(env: Environment, batchId: string): BatchRecord | undefined {
  return readRecords(env).find((record) => record.batchId === batchId);
}

/**
 * Stores a record before its rows are sent. If another process stores one with this sequence first, returns that one,
 * so that both send the same key. Throws file system errors; the rows must not be sent then.
 */
export function createRecord(env: Environment, record: BatchRecord): BatchRecord {
  const folder = folderOf(env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  deleteOldRecords(folder);
  const path = pathOf(env, record);
  const temporary = writeTemporary(path, record);
  try {
    // Unlike a rename, a link does not replace an existing file.
    linkSync(temporary, path);
    return record;
  } catch (error) {
    const isTaken = hasCode(error, 'EEXIST');
    const existing = isTaken ? readRecord(path) : undefined;
    if (existing === undefined) throw error;
    return existing;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Stores the new state of a record. */
export function updateRecord(env: Environment, record: BatchRecord): void {
  const path = pathOf(env, record);
  renameSync(writeTemporary(path, record), path);
}

export function deleteRecord(env: Environment, record: BatchRecord): void {
  rmSync(pathOf(env, record), { force: true });
}

function pathOf(env: Environment, { fingerprint, sequence }: BatchRecord): string {
  return join(folderOf(env), `${fingerprint}-${sequence}.json`);
}

/** Flushed to disk before it is linked, so that a power cut leaves no partial record. */
function writeTemporary(path: string, record: BatchRecord): string {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(file, `${JSON.stringify(record, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return temporary;
}

function readRecords(env: Environment): readonly BatchRecord[] {
  const folder = folderOf(env);
  return listFiles(folder).flatMap((name) => {
    const record = name.endsWith('.json') ? readRecord(join(folder, name)) : undefined;
    return record === undefined ? [] : [record];
  });
}

/** A damaged record counts as missing, because it has no key to send again. */
function readRecord(path: string): BatchRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** The service keeps results and keys for a day; records are kept for a month. */
function deleteOldRecords(folder: string): void {
  for (const name of listFiles(folder)) {
    const path = join(folder, name);
    const modifiedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - modifiedMs > keptMs) rmSync(path, { force: true });
  }
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findOwnBundle, pickFile } from '../../../src/shared/domain/batches/find-bundle.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { processBundle } from '../../../src/worker/processors/bundle.ts';
import { type FinishedRow, finishedBatch } from '../../support/domain/finished-batch.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';

const execute = promisify(execFile);
const { db, pool, url } = await useOwnDatabase();

interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly content: Buffer;
}

const reader = `
import base64, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    bad = archive.testzip()
    assert bad is None, bad
    print(json.dumps([{'name': i.filename, 'method': i.compress_type, 'utf8': bool(i.flag_bits & 0x800),
        'content': base64.b64encode(archive.read(i)).decode()} for i in archive.infolist()]))
`;

/** The entries that another zip reader finds, in directory order. */
async function unzip(bytes: Uint8Array): Promise<ZipEntry[]> {
  const folder = await mkdtemp(join(tmpdir(), 'docmill-zip-'));
  try {
    await writeFile(join(folder, 'a.zip'), bytes);
    const options = { maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await execute('/usr/bin/python3', ['-c', reader, join(folder, 'a.zip')], options);
    const entries = JSON.parse(stdout) as { name: string; method: number; utf8: boolean; content: string }[];
    expect(entries.every(({ utf8 }) => utf8)).toBe(true);
    return entries.map((entry) => ({ ...entry, content: Buffer.from(entry.content, 'base64') }));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function bundleOf(deps: WorkerDeps, accountId: string, batchId: string) {
  const file = pickFile(await findOwnBundle(db, accountId, batchId), 1);
  const bytes = await deps.objects.get(file.objectKey, file.checksum);
  if (bytes === undefined) throw new Error('the bundle is not in the store');
  expect(bytes).toHaveLength(file.sizeBytes);
  return { file, bytes };
}

const document = (text: string): Buffer => Buffer.from(`a document about ${text}`);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

it('holds every document once, in the order of the rows, and a manifest of every row', async () => {
  const deps = await newWorkerDeps(db, url);
  const rows: FinishedRow[] = [
    { filename: 'Müller – größer.docx', bytes: document('a') },
    { error: 'The tag {total} has no data, "really"' },
    { filename: '../../etc/passwd', bytes: document('b') },
    { filename: 'LETTER', bytes: document('c') },
    { filename: 'letter.docx', bytes: document('d') },
    { filename: '..', bytes: document('e') },
  ];
  const { accountId, batchId, jobIds } = await finishedBatch(
    { deps, pool, db },
    { bundle: 'zip', format: 'docx' },
    rows,
  );
  await processBundle(deps, { batchId });
  const { file, bytes } = await bundleOf(deps, accountId, batchId);
  expect(file).toMatchObject({ name: 'Letters.zip', contentType: 'application/zip', firstRow: 1, lastRow: 6 });
  const entries = await unzip(bytes);
  const names = ['Müller – größer.docx', 'passwd.docx', 'LETTER.docx', 'letter-5.docx', 'document.docx'];
  expect(entries.map(({ name }) => name)).toEqual([...names, 'manifest.csv']);
  expect(entries.map(({ method }) => method)).toEqual(Array(6).fill(0));
  expect(entries.slice(0, 5).map(({ content }) => content.toString())).toEqual(
    ['a', 'b', 'c', 'd', 'e'].map((text) => document(text).toString()),
  );
  const line = (row: number, name: string, text: string) =>
    `${row},${name},succeeded,${sha256(document(text))},${document(text).length},,,${jobIds[row - 1]}`;
  expect(entries[5]?.content.toString().split('\r\n')).toEqual([
    'row,file,status,checksum,size,pages,error,jobId',
    line(1, 'Müller – größer.docx', 'a'),
    `2,,failed,,,,"The tag {total} has no data, ""really""",${jobIds[1]}`,
    line(3, 'passwd.docx', 'b'),
    line(4, 'LETTER.docx', 'c'),
    line(5, 'letter-5.docx', 'd'),
    line(6, 'document.docx', 'e'),
    '',
  ]);
});

it('keeps the order of hundreds of rows whose documents differ greatly in size', async () => {
  const deps = await newWorkerDeps(db, url);
  const bytesOf = (index: number): Buffer => Buffer.alloc(index % 40 === 0 ? 700_000 : 50 + index, index);
  const rows = Array.from({ length: 520 }, (_, index) => ({ filename: `row ${index + 1}`, bytes: bytesOf(index) }));
  const { accountId, batchId } = await finishedBatch({ deps, pool, db }, { bundle: 'zip', format: 'docx' }, rows);
  await processBundle(deps, { batchId });
  const entries = await unzip((await bundleOf(deps, accountId, batchId)).bytes);
  expect(entries).toHaveLength(521);
  for (const [index, { name, content }] of entries.slice(0, 520).entries()) {
    expect(name).toBe(`row ${index + 1}.docx`);
    expect(content.equals(bytesOf(index)), name).toBe(true);
  }
});

it('exists, with its manifest, even if no row succeeded', async () => {
  const deps = await newWorkerDeps(db, url);
  const { accountId, batchId } = await finishedBatch({ deps, pool, db }, { bundle: 'zip', format: 'pdf' }, [
    { error: 'no' },
  ]);
  await processBundle(deps, { batchId });
  const [manifest, ...rest] = await unzip((await bundleOf(deps, accountId, batchId)).bytes);
  expect(rest).toEqual([]);
  expect(manifest?.content.toString()).toMatch(/\r\n1,,failed,,,,no,doc_/);
});

it('is not created when none was requested', async () => {
  const deps = await newWorkerDeps(db, url);
  const { accountId, batchId } = await finishedBatch({ deps, pool, db }, { bundle: 'none', format: 'docx' }, [
    { filename: 'a', bytes: document('a') },
  ]);
  await processBundle(deps, { batchId });
  const batch = await findOwnBundle(db, accountId, batchId);
  expect(batch).toMatchObject({ status: 'completed', files: [] });
  expect(() => pickFile(batch, 1)).toThrow(/without a bundle.*one by one/);
});

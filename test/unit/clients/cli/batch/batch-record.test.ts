import { statSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import {
  type BatchRecord,
  createRecord,
  deleteRecord,
  findRecord,
  findRecordOfBatch,
  fingerprintOf,
  updateRecord,
} from '../../../../../clients/cli/src/batch/batch-record.ts';
import { useFolder } from '../../../../support/folder.ts';

const folder = useFolder();
const env = { XDG_STATE_HOME: folder.path };
beforeEach(folder.empty);

const record: BatchRecord = {
  ...{ fingerprint: fingerprintOf({ rows: 'a' }), sequence: 1, idempotencyKey: 'first' },
  ...{ url: 'http://localhost', templateId: 'tpl_1', templateVersion: 1, sentAt: '2026-11-22T00:00:00Z' },
  output: '/tmp/a.zip',
};

test('the first of two processes chooses the key', () => {
  expect(findRecord(env, record.fingerprint)).toBeUndefined();
  expect(createRecord(env, record)).toEqual(record);
  expect(createRecord(env, { ...record, idempotencyKey: 'second' })).toEqual(record);
  expect(findRecord(env, record.fingerprint)).toEqual(record);
});

test('the newest record counts, and an older one counts again when the newest is deleted', () => {
  createRecord(env, record);
  const newer = createRecord(env, { ...record, sequence: 10, idempotencyKey: 'second' });
  createRecord(env, { ...record, sequence: 2, idempotencyKey: 'third' });
  expect(findRecord(env, record.fingerprint)).toEqual(newer);
  deleteRecord(env, newer);
  expect(findRecord(env, record.fingerprint)).toMatchObject({ sequence: 2 });
});

test('a record is found by its batch, and only its owner may read it', () => {
  createRecord(env, record);
  updateRecord(env, { ...record, batchId: 'bat_1' });
  expect(findRecordOfBatch(env, 'bat_1')).toMatchObject({ idempotencyKey: 'first' });
  const name = `${record.fingerprint}-1.json`;
  expect(folder.list('docmill/batches')).toEqual([name]);
  expect(statSync(folder.at(`docmill/batches/${name}`)).mode & 0o777).toBe(0o600);
});

test('the fingerprint depends on the request only, whatever the order of its fields', () => {
  expect(fingerprintOf({ a: 1, b: { c: 2 } })).toBe(fingerprintOf({ b: { c: 2 }, a: 1 }));
  expect(fingerprintOf({ a: 1 })).not.toBe(fingerprintOf({ a: 2 }));
});

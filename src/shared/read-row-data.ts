import { hash } from 'node:crypto';
import type { RequestRecord } from './domain/documents/find-request.ts';
import type { ObjectStore } from './storage/objects.ts';

/** The data of a batch row as raw JSON. Undefined for other documents, and when it has expired or was erased. */
export async function readRowData(objects: ObjectStore, record: RequestRecord): Promise<Buffer | undefined> {
  const { inputKey, dataOffset, dataBytes, dataChecksum } = record;
  if (inputKey === null || dataOffset === null || dataBytes === null || dataBytes === 0) return undefined;
  const bytes = await objects.getRange(inputKey, dataOffset, dataBytes);
  return bytes !== undefined && hash('sha256', bytes, 'hex') === dataChecksum ? bytes : undefined;
}

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Call, OperationInfo, Service } from '../../clients/call.ts';
import { runEveryOperation } from '../../clients/scenario.ts';
import { docxType } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { buildFont } from '../../support/documents/font-builder.ts';
import { png } from '../api/pictures.ts';

type CreateCall = (service: Service, operations: ReadonlyMap<string, OperationInfo>) => Call;

const { anonymous, newClient, url } = await useService(inject('stack'));
const operations = new Map<string, OperationInfo>();
const receiver = createServer((_, response) => response.writeHead(204).end());

beforeAll(async () => {
  const answer = await anonymous.call('GET', '/openapi.json');
  mkdirSync('test/clients/generated', { recursive: true });
  writeFileSync('test/clients/generated/openapi.json', answer.bytes);
  const { paths } = answer.json<{ paths: Record<string, Record<string, OperationInfo & { operationId: string }>> }>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      operations.set(operation.operationId, { ...operation, method, path });
    }
  }
  await promisify(execFile)('test/clients/generate');
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});

afterAll(() => receiver.close());

// The clients exist once they are generated, so their modules are named by text that the compiler does not follow.
const clients: readonly (readonly [generator: string, file: string, name: string])[] = [
  ['@hey-api/openapi-ts', 'hey-api', 'heyApi'],
  ['openapi-typescript', 'openapi-typescript', 'openapiTypescript'],
  ['orval', 'orval', 'orval'],
];

test.each(clients)('the client of %s compiles and runs every operation', async (_, file, name) => {
  const { apiKey } = await newClient();
  const module = (await import(`../../clients/${file}.ts`)) as Readonly<Record<string, CreateCall | undefined>>;
  const call = module[name]?.({ url, apiKey }, operations);
  if (call === undefined) throw new Error(`${file} does not export ${name}`);
  const template = new Blob([new Uint8Array(buildDocx({ body: paragraph('Dear {name}') }))], { type: docxType });
  const picture = new Blob([new Uint8Array(png(4, 4, [200, 30, 30]))]);
  const font = new Blob([new Uint8Array(buildFont())]);
  const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const called = await runEveryOperation(call, { template, picture, font, webhookUrl });
  expect([...called].sort()).toEqual([...operations.keys()].sort());
});

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, inject, test } from 'vitest';
import type { Call, OperationInfo, Service } from '../../clients/call.ts';
import { runEveryOperation } from '../../clients/scenario.ts';
import { docxType } from '../../support/client/api-client.ts';
import { useService } from '../../support/client/service-under-test.ts';
import { useExampleFiles } from './example-files.ts';

type CreateCall = (service: Service, operations: ReadonlyMap<string, OperationInfo>) => Call;

const { anonymous, newClient, url } = await useService(inject('stack'));
const { folder, webhookUrl } = await useExampleFiles();
const operations = new Map<string, OperationInfo>();

beforeAll(async () => {
  const answer = await anonymous.call('GET', '/openapi.json');
  mkdirSync('test/clients/generated', { recursive: true });
  writeFileSync('test/clients/generated/openapi.json', answer.bytes);
  const { paths } = answer.json<{ paths: Record<string, Record<string, OperationInfo & { operationId: string }>> }>();
  for (const [path, methods] of Object.entries(paths)) {
    // The scenario has the key of an account.
    if (path.startsWith('/v1/admin/')) continue;
    for (const [method, operation] of Object.entries(methods))
      operations.set(operation.operationId, { ...operation, method, path });
  }
  await promisify(execFile)('test/clients/generate');
});

// The clients exist only after they are generated, so their modules are imported by names that the compiler ignores.
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
  const blob = (name: string, type = '') => new Blob([readFileSync(join(folder, name))], { type });
  const files = { picture: blob('logo.png'), font: blob('acme-sans-bold.ttf'), invoice: blob('invoice.xml') };
  const called = await runEveryOperation(call, { ...files, template: blob('invoice.docx', docxType), webhookUrl });
  expect([...called].sort()).toEqual([...operations.keys()].sort());
});

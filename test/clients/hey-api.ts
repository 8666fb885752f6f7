import type { Call, Service } from './call.ts';
import { createClient } from './generated/hey-api/client/index.ts';
import * as sdk from './generated/hey-api/sdk.gen.ts';

type Operation = (options: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** The client of `@hey-api/openapi-ts`. */
export function heyApi({ url, apiKey }: Service): Call {
  const client = createClient({ baseUrl: url, auth: apiKey });
  const operations = new Map(Object.entries(sdk));
  return async (operationId, input = {}) => {
    if (operationId === 'streamBatchEvents') {
      const { stream } = await sdk.streamBatchEvents({ client, path: { id: String(input.path?.id) } });
      const events: unknown[] = [];
      for await (const event of stream) events.push(event);
      return { status: 200, data: events };
    }
    const operation = operations.get(operationId) as unknown as Operation;
    const { data, error, response } = await operation({ client, ...input });
    return { status: response.status, data: data ?? error };
  };
}

/** Types: what a program writes compiles. */
export async function typedUse({ url, apiKey }: Service): Promise<string> {
  const client = createClient({ baseUrl: url, auth: apiKey });
  const template = await sdk.uploadTemplate({ client, body: { name: 'a.docx', file: new Blob(['']) } });
  const id = template.data?.id ?? '';
  await sdk.generateDocument({ client, path: { id }, body: { data: { name: 'Ada' } } });
  const body = {
    data: {},
    output: { format: 'pdf' as const, locale: null, email: { to: ['a@example.com'], cc: null } },
  };
  const file = await sdk.generateDocument({ client, path: { id }, body, headers: { 'Idempotency-Key': 'a' } });
  const job = await sdk.startJob({ client, path: { id }, body });
  const quote = await sdk.quoteBatch({ client, path: { id }, body: { items: [{ data: {} }] } });
  const batch = await sdk.createBatch({ client, path: { id }, body: { items: [{ data: {} }] } });
  const sizes = [file.data?.size, job.data?.status, quote.data?.cost, batch.data?.status];
  return sizes.join() || (file.error?.error.message ?? '');
}

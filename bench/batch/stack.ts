import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { loadWorkerConfig } from '../../src/shared/config/load-config.ts';
import { type Connections, openConnections } from '../../src/shared/connections.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { bullPrefix } from '../../src/shared/queue/contracts.ts';
import { openAccount, type TestAccountKey } from '../../test/faults/client/account.ts';
import { projectFolder } from '../harness/machine.ts';
import { type ServiceStack, startServiceStack, uploadTemplate } from '../harness/stack.ts';

export interface Tenant extends TestAccountKey {
  readonly templateId: string;
}

/** A complete service, with connections that act like one of its workers. */
export interface BatchStack extends ServiceStack {
  readonly connections: Connections;
  /** A new account with one example as its template. */
  tenant(example: string): Promise<Tenant>;
  queue(name: 'docx' | 'pdf'): Queue;
}

const prefix = 'bench';
const accountDocs = 1_000_000;

export async function startBatchStack(env: Readonly<Record<string, string>> = {}): Promise<BatchStack> {
  const service = await startServiceStack({ QUEUE_PREFIX: prefix, ...env });
  const logger = createLogger('silent', 'bench');
  const config = loadWorkerConfig(service.variables);
  const connections = await openConnections(config, { name: 'docmill-bench', listenerRole: 'subscriber' }, logger);
  const openQueue = (name: 'docx' | 'pdf') =>
    new Queue(name, { connection: connections.redis, prefix: bullPrefix(prefix, name) });
  const queues = { docx: openQueue('docx'), pdf: openQueue('pdf') };
  return {
    ...service,
    connections,
    async tenant(example) {
      const account = await openAccount(connections.database.db, { credits: accountDocs });
      const file = readFileSync(join(projectFolder, `examples/${example}.docx`));
      const templateId = await uploadTemplate(service.url, account.apiKey, `${example}.docx`, file);
      return { ...account, templateId };
    },
    queue: (name) => queues[name],
    async close() {
      await Promise.all(Object.values(queues).map((queue) => queue.close()));
      for (const { run } of connections.closing) await run();
      await service.close();
    },
  };
}

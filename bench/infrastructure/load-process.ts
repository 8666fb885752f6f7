import { type OpenContender, serveContender } from '../harness/serve-contender.ts';
import { Connection, postRequest } from '../http/connection.ts';

export interface LoadSetup {
  /** API processes, over which connections are distributed. */
  readonly urls: readonly string[];
  /** Accounts with one template each, over which connections are distributed, too. */
  readonly tenants: readonly { readonly apiKey: string; readonly templateId: string }[];
  readonly body: string;
}

serveContender<LoadSetup>(async ({ urls, tenants, body }): Promise<OpenContender> => {
  let callers: { readonly connection: Connection; readonly request: Buffer }[] = [];
  return {
    async beforeRun({ concurrency }) {
      const open = async (_: unknown, index: number) => {
        const url = urls[index % urls.length] ?? '';
        const { apiKey = '', templateId = '' } = tenants[index % tenants.length] ?? {};
        const request = postRequest({ url, path: `/v1/templates/${templateId}/generate`, apiKey, body });
        return { connection: await Connection.open(url), request };
      };
      callers = await Promise.all(Array.from({ length: concurrency }, open));
    },
    async produce(index) {
      const caller = callers[index];
      const answer = await caller?.connection.send(caller.request);
      if (answer?.status === 200) return answer.body.length;
      throw new Error(`status ${answer?.status}: ${answer?.body.toString('utf8', 0, 500)}`);
    },
    afterRun() {
      for (const { connection } of callers) connection.close();
      callers = [];
    },
  };
});

import { type OpenSide, serveSide } from '../harness/serve-side.ts';
import { Connection } from '../http/connection.ts';

export interface LoadSetup {
  /** API processes; connections are dealt out to them in turn. */
  readonly urls: readonly string[];
  /** Accounts with a template each; connections are dealt out to them too. */
  readonly tenants: readonly { readonly apiKey: string; readonly templateId: string }[];
  readonly body: string;
}

serveSide<LoadSetup>(async ({ urls, tenants, body }): Promise<OpenSide> => {
  let lanes: { readonly connection: Connection; readonly request: Buffer }[] = [];
  return {
    async beforeTurn(turn) {
      const open = async (_: unknown, index: number) => {
        const { hostname, port, host } = new URL(urls[index % urls.length] ?? '');
        const { apiKey = '', templateId = '' } = tenants[index % tenants.length] ?? {};
        const head = [
          `POST /v1/templates/${templateId}/generate HTTP/1.1`,
          `Host: ${host}`,
          `Authorization: Bearer ${apiKey}`,
          'Content-Type: application/json',
          `Content-Length: ${Buffer.byteLength(body)}`,
        ];
        const request = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
        return { connection: await Connection.open(hostname, Number(port)), request };
      };
      lanes = await Promise.all(Array.from({ length: turn.lanes }, open));
    },
    async make(index) {
      const lane = lanes[index];
      const answer = await lane?.connection.send(lane.request);
      if (answer?.status === 200) return answer.body.length;
      throw new Error(`answered ${answer?.status}: ${answer?.body.toString('utf8', 0, 500)}`);
    },
    afterTurn() {
      for (const { connection } of lanes) connection.close();
      lanes = [];
    },
  };
});

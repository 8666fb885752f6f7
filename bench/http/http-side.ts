import { type OpenSide, serveSide } from '../harness/serve-side.ts';
import { Connection } from './connection.ts';

export interface HttpSetup {
  readonly url: string;
  readonly path: string;
  readonly apiKey: string;
  readonly body: string;
  /** What every document begins with. */
  readonly magic: string;
}

serveSide<HttpSetup>(async (setup): Promise<OpenSide> => {
  const { hostname, port } = new URL(setup.url);
  const request = requestOf(setup);
  let connections: Connection[] = [];
  return {
    async beforeTurn({ lanes }) {
      connections = await Promise.all(Array.from({ length: lanes }, () => Connection.open(hostname, Number(port))));
    },
    async make(lane) {
      const answer = await connections[lane]?.send(request);
      if (answer?.status !== 200)
        throw new Error(`answered ${answer?.status}: ${answer?.body.toString('utf8', 0, 500)}`);
      if (answer.body.toString('latin1', 0, setup.magic.length) !== setup.magic) throw new Error('not a document');
      return answer.body.length;
    },
    afterTurn() {
      for (const connection of connections) connection.close();
      connections = [];
    },
  };
});

function requestOf({ url, path, apiKey, body }: HttpSetup): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

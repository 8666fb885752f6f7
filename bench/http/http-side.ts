import { wordsOf } from '../contenders/text-of.ts';
import { type OpenSide, serveSide } from '../harness/serve-side.ts';
import { Connection } from './connection.ts';

export interface HttpSetup {
  readonly url: string;
  readonly path: string;
  readonly apiKey: string;
  readonly body: string;
  /** What every document begins with. */
  readonly magic: string;
  /** What a .docx must say. */
  readonly words: string | undefined;
}

/** Callers over keep-alive connections, each with one request at a time. */
serveSide<HttpSetup>(async (setup): Promise<OpenSide> => {
  const { hostname, port } = new URL(setup.url);
  const request = requestOf(setup);
  const openConnections = (count: number): Promise<Connection[]> =>
    Promise.all(Array.from({ length: count }, () => Connection.open(hostname, Number(port))));
  const call = async (connection: Connection): Promise<Buffer> => {
    const { status, body } = await connection.send(request);
    if (status !== 200) throw new Error(`answered ${status}: ${body.toString('utf8', 0, 500)}`);
    if (body.toString('latin1', 0, setup.magic.length) !== setup.magic) throw new Error('not a document');
    return body;
  };
  const [first] = await openConnections(1);
  if (first === undefined) throw new Error('no connection');
  const made = await call(first);
  first.close();
  if (setup.words !== undefined && wordsOf(made) !== setup.words) throw new Error('the service made another document');
  let connections: Connection[] = [];
  return {
    async beforeTurn({ lanes }) {
      connections = await openConnections(lanes);
    },
    async make(lane) {
      const connection = connections[lane];
      if (connection === undefined) throw new Error('no connection');
      return (await call(connection)).length;
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

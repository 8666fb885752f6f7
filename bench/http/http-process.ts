import { wordsOf } from '../harness/documents.ts';
import { type OpenContender, serveContender } from '../harness/serve-contender.ts';
import { Connection, postRequest } from './connection.ts';

export interface HttpSetup {
  readonly url: string;
  readonly path: string;
  readonly apiKey: string;
  readonly body: string;
  /** The first bytes of every document. */
  readonly magic: string;
  /** The words that a .docx must contain. */
  readonly words: string | undefined;
}

/** Callers over keep-alive connections, each with one request at a time. */
serveContender<HttpSetup>(async (setup): Promise<OpenContender> => {
  const request = postRequest(setup);
  const openConnections = (count: number): Promise<Connection[]> =>
    Promise.all(Array.from({ length: count }, () => Connection.open(setup.url)));
  const call = async (connection: Connection): Promise<Buffer> => {
    const { status, body } = await connection.send(request);
    if (status !== 200) throw new Error(`status ${status}: ${body.toString('utf8', 0, 500)}`);
    if (body.toString('latin1', 0, setup.magic.length) !== setup.magic) throw new Error('not a document');
    return body;
  };
  const [first] = await openConnections(1);
  if (first === undefined) throw new Error('no connection');
  const document = await call(first);
  first.close();
  if (setup.words !== undefined && wordsOf(document) !== setup.words)
    throw new Error('the service produced a different document');
  let connections: Connection[] = [];
  return {
    async beforeRun({ concurrency }) {
      connections = await openConnections(concurrency);
    },
    async produce(caller) {
      const connection = connections[caller];
      if (connection === undefined) throw new Error('no connection');
      return (await call(connection)).length;
    },
    afterRun() {
      for (const connection of connections) connection.close();
      connections = [];
    },
  };
});

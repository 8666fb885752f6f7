import type { Answer } from '../../client/client.ts';
import { letter } from '../../client/templates.ts';
import type { Harness, Owner } from '../../harness/harness.ts';
import { impatient } from '../../harness/settings.ts';
import { onSmallDisk, type SmallDiskBacking, type SmallDiskUse } from '../../harness/small-disk-postgres.ts';
import { expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const credits = 3_000;

/**
 * A document waits to be settled while others are requested, until the disk has no room for their rows. Every answer is
 * a document, 503, or 504 for one that was accepted and waits for room. With room, each request repeated with its key
 * gets its one document.
 */
async function runOutOfSpace(h: Harness, disk: SmallDiskBacking, meanwhile: DiskRow['meanwhile']): Promise<void> {
  await h.start({ api: { env: { ...impatient, WAIT_LIMIT_MS: '8000' } }, worker: { env: impatient } });
  const owner = await h.owner(letter, { credits });
  const { client, templateId, account } = owner;
  let requested = 0;
  const request = () => client.generate({ templateId, key: `disk-${requested++}` });
  const point = h.arm('result-stored-before-settle', 'hang');
  const pending = request();
  await point.reached();
  const answers: Answer[] = [];
  const requestSome = async (): Promise<boolean> => {
    disk.fill();
    const some = await Promise.all(Array.from({ length: 40 }, request));
    answers.push(...some);
    return some.some(({ status }) => status === 503);
  };
  await until('an answer without room', requestSome, 120_000);
  await meanwhile({ h, owner, requestSome });
  point.release();
  disk.free();
  await until('a green readiness', async () => (await h.api.readiness()).status === 200);
  answers.push(await pending);
  for (const { status, headers } of answers) {
    const code = { 200: null, 503: 'unavailable', 504: 'wait_timeout' }[status];
    expectEqual([status, headers.get('Error-Code')], [status, code ?? null], 'an answer without room');
  }
  for (let number = 0; number < requested; number++) {
    const key = `disk-${number}`;
    await until(`the document of ${key}`, async () => (await client.generate({ templateId, key })).status === 200);
  }
  await h.settled();
  expectEqual(await h.statuses(account.accountId), { succeeded: requested }, 'the documents');
  expectEqual((await client.quotas()).docs, credits - requested, 'the credits left');
}

interface FullDisk {
  readonly h: Harness;
  readonly owner: Owner;
  /** Fills what room there is and requests documents. */
  requestSome(): Promise<boolean>;
}

interface DiskRow extends Pick<Row, 'id' | 'title' | 'story'> {
  readonly use: SmallDiskUse;
  meanwhile(state: FullDisk): Promise<void>;
}

function diskRow({ use, meanwhile, ...about }: DiskRow): Row {
  let disk: SmallDiskBacking | undefined;
  return {
    ...about,
    async startBacking(shared) {
      disk = await onSmallDisk(shared, use);
      return disk;
    },
    async run(h) {
      if (disk === undefined) throw new Error('the row has no disk');
      await runOutOfSpace(h, disk, meanwhile);
    },
  };
}

export const postgresDiskRows: readonly Row[] = [
  diskRow({
    id: 'P11',
    title: 'no space for the tables of PostgreSQL',
    story:
      'A real disk that is full (53100): 503 with Retry-After, or 504 for what was accepted; reads go on; with space everything continues, charged once',
    use: 'tables',
    async meanwhile({ h, owner: { client, templateId } }) {
      expectEqual(
        (await client.call('GET', `/v1/templates/${templateId}/content`)).status,
        200,
        'the answer to a read',
      );
      expectEqual((await h.api.readiness()).status, 200, 'the readiness of an API that reads');
    },
  }),
  diskRow({
    id: 'P12',
    title: 'no space for the log of PostgreSQL',
    story:
      'A real disk that is full: PostgreSQL crashes and cannot start. 503 and a red readiness; with space everything continues, charged once',
    use: 'log',
    async meanwhile({ h, requestSome }) {
      const isRed = async () => (await h.api.readiness()).status === 503;
      await until(
        'a red readiness',
        async () => (await isRed()) || ((await requestSome()) && (await isRed())),
        120_000,
      );
    },
  }),
];

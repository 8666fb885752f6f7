import { buildFont } from '../../../support/documents/font-builder.ts';
import type { Answer, Client } from '../../client/client.ts';
import { letter } from '../../client/templates.ts';
import { type Harness, type Owner, tally } from '../../harness/harness.ts';
import { expect, expectEqual } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

type Ids = Readonly<Record<'templates' | 'jobs' | 'deliveries' | 'webhooks' | 'batches' | 'assets' | 'fonts', string>>;

const unknownIds: Ids = {
  templates: 'tpl_00000000000000000000000000',
  jobs: 'doc_00000000000000000000000000',
  deliveries: 'dlv_00000000000000000000000000',
  webhooks: 'whk_00000000000000000000000000',
  batches: 'bat_00000000000000000000000000',
  assets: 'ast_00000000000000000000000000',
  fonts: 'fnt_00000000000000000000000000',
};

const unknownDelivery = 'whd_00000000000000000000000000';

/** Method and path of every operation with an id in the OpenAPI document. */
async function operationsWithIds(h: Harness): Promise<readonly (readonly [string, string])[]> {
  const { paths } = (await (await fetch(`${h.api.url}/openapi.json`)).json()) as { paths: Record<string, object> };
  const known = Object.entries(paths).filter(([path]) => path.includes('{'));
  return known.flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
  );
}

/** A valid body: only the id is wrong. */
function bodyOf(method: string, path: string): object | undefined {
  if (method === 'PUT') return { name: 'stolen.docx' };
  if (method === 'PATCH') return { description: 'stolen' };
  if (path.endsWith('/generate')) return { data: {} };
  return path.endsWith('/batches') ? { items: [{ data: {} }] } : undefined;
}

function ask(client: Client, method: string, path: string, ids: Ids): Promise<Answer> {
  const kind = path.split('/')[2] as keyof Ids;
  const target = path.replace('{id}', ids[kind]).replace('{version}', '1').replace('{deliveryId}', unknownDelivery);
  if (method === 'PUT' && path.endsWith('/content')) {
    const form = new FormData();
    form.set('name', 'stolen.docx');
    form.set('file', new Blob([new Uint8Array(letter)]), 'stolen.docx');
    return client.call(method, target, { body: form });
  }
  const body = bodyOf(method, path);
  const headers = { 'Content-Type': 'application/json' };
  return client.call(method, target, body === undefined ? {} : { body: JSON.stringify(body), headers });
}

/** The operation answers as for an id that nobody has. */
async function expectUnknown(client: Client, [method, path]: readonly [string, string], theirs: Ids): Promise<void> {
  const foreign = await ask(client, method, path, theirs);
  const unknown = await ask(client, method, path, unknownIds);
  expectEqual(foreign.status, 404, `${method} ${path} of another account`);
  expectEqual(foreign.body.toString(), unknown.body.toString(), `the body of ${method} ${path}`);
}

const others = ['deliveries', 'webhooks', 'batches', 'assets', 'fonts'] as const;

async function snapshot(client: Client, ids: Ids): Promise<readonly string[]> {
  const paths = [`templates/${ids.templates}`, `templates/${ids.templates}/versions`, `jobs/${ids.jobs}`];
  const answers = await Promise.all(
    [...paths, ...others.map((kind) => `${kind}/${ids[kind]}`)].map((path) => client.call('GET', `/v1/${path}`)),
  );
  expectEqual(tally(answers), { 200: answers.length }, 'the answers to the owner');
  return answers.map(({ body }) => body.toString());
}

/** A webhook without deliveries, a cancelled batch, a picture and a font. */
async function belongings(owner: Owner): Promise<Pick<Ids, 'webhooks' | 'batches' | 'assets' | 'fonts'>> {
  const { client, templateId } = owner;
  const post = async (path: string, request: Parameters<Client['call']>[2]): Promise<string> => {
    const answer = await client.call('POST', path, request);
    expect(answer.status >= 200 && answer.status < 300, `POST ${path}: ${answer.status} ${answer.body.toString()}`);
    return (JSON.parse(answer.body.toString()) as { id: string }).id;
  };
  const json = (body: object) => ({ body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });
  const picture = new FormData();
  picture.set('name', 'logo.svg');
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
  picture.set('file', new Blob([svg]), 'logo.svg');
  const batches = await post(`/v1/templates/${templateId}/batches`, json({ items: [{ data: {} }], bundle: 'none' }));
  expectEqual((await client.call('DELETE', `/v1/batches/${batches}`)).status, 200, 'the cancellation of the batch');
  const font = new FormData();
  font.set('file', new Blob([new Uint8Array(buildFont({ family: 'A5 Boxes' }))]), 'boxes.ttf');
  return {
    batches,
    fonts: await post('/v1/fonts', { body: font }),
    assets: await post('/v1/assets', { body: picture }),
    webhooks: await post('/v1/webhooks', json({ url: 'https://hooks.example.com/a5', events: ['batch.completed'] })),
  };
}

export const hostileRequestRows: readonly Row[] = [
  {
    id: 'A5',
    title: "another account's ids on every operation",
    story:
      'Each documented operation with an id: 404, in bytes like an unknown id; lists and filters show nothing; nothing changes',
    set: 'usual',
    async run(h) {
      await h.start();
      const owner = await h.owner(letter, { credits: 5 });
      const thief = await h.account({ credits: 5 });
      const made = await owner.client.generate({ ...owner, key: 'a5', email: { to: ['ada@sink.test'] } });
      await h.settled();
      const jobs = await owner.client.call('GET', '/v1/jobs');
      const [job] = JSON.parse(jobs.body.toString()) as { id: string }[];
      const deliveries = made.headers.get('Email-Delivery-Id') ?? '';
      const ids: Ids = { templates: owner.templateId, jobs: job?.id ?? '', deliveries, ...(await belongings(owner)) };
      const before = await snapshot(owner.client, ids);
      const operations = await operationsWithIds(h);
      for (const [, path] of operations) {
        const kind = path.split('/')[2] ?? '';
        expect(kind in unknownIds, `${path} has an id of a kind that this row does not try`);
      }
      expect(operations.length >= 14, `the reference has ${operations.length} operations with an id`);
      for (const operation of operations) await expectUnknown(thief, operation, ids);
      for (const path of [
        '/v1/templates',
        '/v1/jobs',
        '/v1/webhooks',
        '/v1/batches',
        '/v1/assets',
        '/v1/fonts?name=A5',
        `/v1/jobs?templateId=${ids.templates}`,
      ]) {
        const list = await thief.call('GET', path);
        expectEqual([list.status, list.body.toString()], [200, '[]'], `what the other account sees at ${path}`);
      }
      expectEqual(await snapshot(owner.client, ids), before, 'what the owner sees');
      expectEqual((await thief.quotas()).docs, 5, 'the credits of the other account');
    },
  },
];

import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../test/faults/client/client.ts';
import { items, letter, list, nestedSections } from '../../test/faults/client/templates.ts';
import type { Balancer } from '../../test/faults/harness/balancer.ts';
import type { Random } from '../../test/faults/harness/random.ts';
import type { Order, Tally } from './orders.ts';

export interface Tenant {
  readonly client: Client;
  readonly letter: string;
  readonly list: string;
  readonly poison: string;
}

export interface LoadOptions {
  readonly tenants: readonly Tenant[];
  readonly balancer: Balancer;
  readonly random: Random;
  readonly tally: Tally;
  readonly isOver: () => boolean;
}

const keyPatienceMs = 120_000;
const outages = new Set([0, 503, 504]);

/** One client after another: most want documents, some send templates, some send nonsense. */
export async function runClient(options: LoadOptions, name: string): Promise<void> {
  const { random, tenants, isOver } = options;
  for (let count = 0; !isOver(); count++) {
    const tenant = tenants[Math.floor(random() * tenants.length)];
    if (tenant === undefined) return;
    const dice = random();
    if (dice < 0.08) await upload(options, tenant);
    else if (dice < 0.18) await misbehave(options, tenant);
    else await order(options, tenant, `${name}-${count}`);
    await delay(20 + random() * 130);
  }
}

async function order(options: LoadOptions, tenant: Tenant, name: string): Promise<void> {
  const { random, tally, balancer } = options;
  const wanted: Order = {
    name,
    client: tenant.client,
    format: random() < 0.25 ? 'pdf' : 'docx',
    hasKey: random() < 0.6,
    hasMail: random() < 0.2,
    statuses: [],
    jobId: undefined,
  };
  tally.orders.push(wanted);
  const rows = random() < 0.3 ? Math.floor(random() * 60) : undefined;
  const request = {
    templateId: rows === undefined ? tenant.letter : tenant.list,
    data: rows === undefined ? { name } : { name, items: items(rows) },
    format: wanted.format,
    output: { filename: name },
    key: wanted.hasKey ? name : undefined,
    email: wanted.hasMail ? { to: [`${name}@sink.test`] } : undefined,
  };
  const until = performance.now() + keyPatienceMs;
  for (let pauseMs = 200; ; pauseMs = Math.min(pauseMs * 2, 3_000)) {
    const answer = await tenant.client.generate({ ...request, api: balancer.pick() });
    wanted.statuses.push(answer.status);
    if (wanted.jobId === undefined) wanted.jobId = /"jobId":"(\w+)"/.exec(answer.body.toString())?.[1];
    if (wanted.jobId !== undefined && answer.status !== 200) await fetchJob(options, wanted);
    const isEnded = wanted.statuses.includes(200) || !wanted.hasKey || !outages.has(answer.status);
    if (isEnded || performance.now() > until) return;
    await delay(pauseMs);
  }
}

/** An answer that could not carry the document names it: it is fetched by its id. */
async function fetchJob({ balancer }: LoadOptions, wanted: Order): Promise<void> {
  const until = performance.now() + keyPatienceMs;
  while (performance.now() < until) {
    const { status } = await wanted.client.call('GET', `/v1/jobs/${wanted.jobId}/content`, { api: balancer.pick() });
    if (status === 200) wanted.statuses.push(status);
    if (!outages.has(status) && status !== 409) return;
    await delay(500);
  }
}

async function upload({ balancer, tally }: LoadOptions, { client }: Tenant): Promise<void> {
  const api = balancer.pick();
  const answer = await client.upload('soak.docx', letter, { api });
  if (answer.status !== 201) return expectOutage(tally, 'an upload', answer.status);
  tally.uploads += 1;
  const { id } = JSON.parse(answer.body.toString()) as { id: string };
  await client.call('DELETE', `/v1/templates/${id}`, { api: balancer.pick() });
}

/** Input that deserves a 400, or a 404; it must never cost anything. */
async function misbehave({ balancer, random, tally }: LoadOptions, tenant: Tenant): Promise<void> {
  const { client } = tenant;
  const api = balancer.pick();
  const a = Array.from({ length: 20 }, () => ({}));
  const broken = { body: '{"data":', headers: { 'Content-Type': 'application/json' }, api };
  const tries: (() => Promise<{ readonly status: number }>)[] = [
    () => client.generate({ templateId: tenant.poison, data: { a }, api }),
    () => client.upload('no.docx', Buffer.from('this is no template'), { api }),
    () => client.upload('deep.docx', nestedSections(40), { api }),
    () => client.call('POST', `/v1/templates/${tenant.letter}/generate`, broken),
    () => client.generate({ templateId: 'tpl_00000000000000000000000000', api }),
  ];
  const { status } = (await tries[Math.floor(random() * tries.length)]?.()) ?? { status: 0 };
  if (status === 400 || status === 404) tally.refusals += 1;
  else expectOutage(tally, 'bad input', status);
}

function expectOutage(tally: Tally, what: string, status: number): void {
  if (!outages.has(status)) tally.surprises.push(`${what} was answered ${status}`);
}

/** Templates that every tenant has. */
export async function openTenant(
  client: Client,
  template: (client: Client, file: Buffer) => Promise<string>,
): Promise<Tenant> {
  return {
    client,
    letter: await template(client, letter),
    list: await template(client, list),
    poison: await template(client, nestedSections(8)),
  };
}

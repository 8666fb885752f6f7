import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../test/faults/client/client.ts';
import { items, letter, list, nestedSections } from '../../test/faults/client/templates.ts';
import type { Balancer } from '../../test/faults/harness/balancer.ts';
import type { Random } from '../../test/faults/harness/random.ts';

export interface Tenant {
  readonly client: Client;
  readonly letter: string;
  readonly list: string;
  readonly poison: string;
}

/** One requested document with all its attempts. Database rows are matched by its file name. */
export interface DocumentRequest {
  readonly name: string;
  readonly client: Client;
  readonly format: 'docx' | 'pdf';
  readonly hasKey: boolean;
  readonly hasMail: boolean;
  /** The status of each attempt; 0 is a broken connection. */
  readonly statuses: number[];
  /** Taken from a response that did not contain the document. */
  jobId: string | undefined;
}

export interface Tally {
  readonly requests: DocumentRequest[];
  uploads: number;
  refusals: number;
  /** Invalid requests that did not get the expected error. */
  readonly surprises: string[];
  /** The number of injected faults by name. */
  readonly faults: Map<string, number>;
}

export interface LoadOptions {
  readonly tenants: readonly Tenant[];
  readonly balancer: Balancer;
  readonly random: Random;
  readonly tally: Tally;
  readonly isOver: () => boolean;
}

const retryForMs = 120_000;
const outages = new Set([0, 503, 504]);

/** Sends requests one by one: most ask for documents, some upload templates, some are invalid. */
export async function runClient(options: LoadOptions, name: string): Promise<void> {
  const { random, tenants, isOver } = options;
  for (let count = 0; !isOver(); count++) {
    const tenant = tenants[Math.floor(random() * tenants.length)];
    if (tenant === undefined) return;
    const dice = random();
    if (dice < 0.08) await upload(options, tenant);
    else if (dice < 0.18) await sendBadInput(options, tenant);
    else await requestDocument(options, tenant, `${name}-${count}`);
    await delay(20 + random() * 130);
  }
}

async function requestDocument(options: LoadOptions, tenant: Tenant, name: string): Promise<void> {
  const { random, tally, balancer } = options;
  const wanted: DocumentRequest = {
    name,
    client: tenant.client,
    format: random() < 0.25 ? 'pdf' : 'docx',
    hasKey: random() < 0.6,
    hasMail: random() < 0.2,
    statuses: [],
    jobId: undefined,
  };
  tally.requests.push(wanted);
  const rows = random() < 0.3 ? Math.floor(random() * 60) : undefined;
  const request = {
    templateId: rows === undefined ? tenant.letter : tenant.list,
    data: rows === undefined ? { name } : { name, items: items(rows) },
    format: wanted.format,
    output: { filename: name },
    key: wanted.hasKey ? name : undefined,
    email: wanted.hasMail ? { to: [`${name}@sink.test`] } : undefined,
  };
  const until = performance.now() + retryForMs;
  for (let pauseMs = 200; ; pauseMs = Math.min(pauseMs * 2, 3_000)) {
    const answer = await tenant.client.generate({ ...request, api: balancer.pick() });
    wanted.statuses.push(answer.status);
    if (wanted.jobId === undefined) wanted.jobId = /"jobId":"(\w+)"/.exec(answer.body.toString())?.[1];
    if (wanted.jobId !== undefined && answer.status !== 200) await fetchJob(options, wanted);
    const isFinished = wanted.statuses.includes(200) || !wanted.hasKey || !outages.has(answer.status);
    if (isFinished || performance.now() > until) return;
    await delay(pauseMs);
  }
}

/** Fetches a document by the job id in a response that did not contain the document. */
async function fetchJob({ balancer }: LoadOptions, wanted: DocumentRequest): Promise<void> {
  const until = performance.now() + retryForMs;
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

/** Sends input that must get 400 or 404 and must never be charged. */
async function sendBadInput({ balancer, random, tally }: LoadOptions, tenant: Tenant): Promise<void> {
  const { client } = tenant;
  const api = balancer.pick();
  const a = Array.from({ length: 20 }, () => ({}));
  const broken = { body: '{"data":', headers: { 'Content-Type': 'application/json' }, api };
  const tries: (() => Promise<{ readonly status: number }>)[] = [
    () => client.generate({ templateId: tenant.poison, data: { a }, api }),
    () => client.upload('no.docx', Buffer.from('this is not a template'), { api }),
    () => client.upload('deep.docx', nestedSections(40), { api }),
    () => client.call('POST', `/v1/templates/${tenant.letter}/generate`, broken),
    () => client.generate({ templateId: 'tpl_00000000000000000000000000', api }),
  ];
  const { status } = (await tries[Math.floor(random() * tries.length)]?.()) ?? { status: 0 };
  if (status === 400 || status === 404) tally.refusals += 1;
  else expectOutage(tally, 'bad input', status);
}

function expectOutage(tally: Tally, what: string, status: number): void {
  if (!outages.has(status)) tally.surprises.push(`${what} got ${status}`);
}

/** Uploads the templates that every tenant needs. */
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

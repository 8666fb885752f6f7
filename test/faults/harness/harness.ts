import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePorts } from '../../../tools/local/ports.ts';
import { type SmtpPeer, startSmtpPeer } from '../../support/faults/smtp-peer.ts';
import type { SmtpPeerOptions } from '../../support/faults/smtp-peer-script.ts';
import { fontVariables } from '../../support/fonts.ts';
import { type AccountPlan, openAccount, type TestAccountKey } from '../client/account.ts';
import { type Answer, Client, type History } from '../client/client.ts';
import type { Backing } from './backing.ts';
import { type Failpoint, type FailpointAction, type FailpointName, Failpoints } from './failpoints.ts';
import { type Random, seededRandom } from './random.ts';
import { ServiceProcess } from './service-process.ts';
import { fastSettings } from './settings.ts';
import { expectEqual, until } from './until.ts';

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly wrapper?: readonly string[];
  /** False for a process that is expected to refuse its start. */
  readonly isAwaited?: boolean;
}

export interface Owner {
  readonly client: Client;
  readonly account: TestAccountKey;
  readonly templateId: string;
}

/** The processes, accounts, failpoints and history of one row, on the shared servers of the run. */
export class Harness {
  readonly backing: Backing;
  readonly folder: string;
  readonly random: Random;
  readonly history: History = { answers: [], delivered: new Map(), faults: [] };
  readonly processes: ServiceProcess[] = [];
  readonly accounts: TestAccountKey[] = [];
  readonly peers: SmtpPeer[] = [];
  readonly failpoints: Failpoints;
  /** Documents that may be charged although no answer delivered them: the client disconnected or was asked to retry. */
  allowedUnanswered = 0;
  readonly prefix: string;
  #started = 0;

  constructor(backing: Backing, id: string, seed: number) {
    this.backing = backing;
    this.folder = join(backing.folder, `row-${id}`);
    this.random = seededRandom(seed);
    this.prefix = `row-${id}`;
    for (const path of [this.folder, this.officeFolder, this.tempFolder]) mkdirSync(path, { recursive: true });
    this.failpoints = new Failpoints(join(this.folder, 'failpoints'));
  }

  get officeFolder(): string {
    return join(this.folder, 'office');
  }

  get tempFolder(): string {
    return join(this.folder, 'tmp');
  }

  /** The first running API; the clients of the row use it. */
  get api(): ServiceProcess {
    const found = this.processes.find(({ spec, exit }) => spec.kind === 'api' && exit === undefined);
    if (found === undefined) throw new Error('no API is running');
    return found;
  }

  get workers(): ServiceProcess[] {
    return this.processes.filter(({ spec, exit }) => spec.kind === 'worker' && exit === undefined);
  }

  startApi(options: StartOptions = {}): Promise<ServiceProcess> {
    return this.#start('api', options);
  }

  /** A worker of the queues without LibreOffice, unless the row names others. */
  startWorker(options: StartOptions = {}): Promise<ServiceProcess> {
    return this.#start('worker', options);
  }

  startPdfWorker(options: StartOptions = {}): Promise<ServiceProcess> {
    return this.startWorker({
      ...options,
      env: { WORKER_QUEUES: 'docx,pdf,inspect,mail,maintenance', ...options.env },
    });
  }

  /** One API and one worker. */
  async start(options: { readonly pdf?: boolean; readonly api?: StartOptions; readonly worker?: StartOptions } = {}) {
    const [api, worker] = await Promise.all([
      this.startApi(options.api),
      options.pdf === true ? this.startPdfWorker(options.worker) : this.startWorker(options.worker),
    ]);
    return { api, worker };
  }

  async account(plan: AccountPlan = {}): Promise<Client> {
    const account = await openAccount(this.backing.postgres.database.db, plan);
    this.accounts.push(account);
    return new Client(account, () => this.api.url, this.history);
  }

  /** An account with one template, uploaded through the API. */
  async owner(file: Buffer, plan: AccountPlan = {}): Promise<Owner> {
    const client = await this.account(plan);
    return { client, account: client.account, templateId: await this.template(client, file) };
  }

  async template(client: Client, file: Buffer): Promise<string> {
    const answer = await client.upload('letter.docx', file);
    expectEqual(answer.status, 201, `the upload (${answer.body.toString().slice(0, 300)})`);
    return (JSON.parse(answer.body.toString()) as { id: string }).id;
  }

  arm(name: FailpointName, action: FailpointAction, times = 1): Failpoint {
    return this.failpoints.arm(name, action, times);
  }

  /** Kills the process that reaches the failpoint during a call. */
  async killIn<T>(name: FailpointName, call: () => Promise<T>): Promise<T> {
    const point = this.arm(name, 'kill');
    const [answer] = await Promise.all([call(), point.reached()]);
    return answer;
  }

  async smtpPeer(options: SmtpPeerOptions): Promise<SmtpPeer> {
    const peer = await startSmtpPeer(options);
    this.peers.push(peer);
    return peer;
  }

  async query<Row extends Record<string, unknown>>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.backing.postgres.pool.query<Row>(text, [...values])).rows;
  }

  /** How many of the account's documents have each status. */
  async statuses(accountId: string): Promise<Record<string, number>> {
    const rows = await this.query<{ status: string; count: number }>(
      `select case when refunded_at is null then status else 'refunded' end as status, count(*)::int as count
        from generations where account_id = $1 group by 1 order by 1`,
      [accountId],
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }

  /** The account has these documents and this quota left. */
  async expectCharged({ client }: Pick<Owner, 'client'>, statuses: Record<string, number>, docsLeft: number) {
    expectEqual(await this.statuses(client.account.accountId), statuses, 'the documents');
    expectEqual((await client.quotas()).docs, docsLeft, 'the credits left');
  }

  /** The objects of an account in the store, or of one kind of them. */
  objectsOf({ account }: Pick<Owner, 'account'>, ...kinds: readonly ('results' | 'templates' | 'batches')[]): string[] {
    return kinds.flatMap((kind) => {
      const folder = join(this.backing.s3.objectsFolder, kind, account.accountId);
      if (!existsSync(folder)) return [];
      return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('_object'));
    });
  }

  /**
   * Resolves when all documents and deliveries of the row have finished. A delivery whose worker was killed after its
   * claim waits for the end of a lease of a minute.
   */
  async settled(timeoutMs = 150_000): Promise<void> {
    const ids = this.accounts.map(({ accountId }) => accountId);
    await until(
      'every document and delivery finishes',
      async () => {
        const [row] = await this.query<{ open: number }>(
          `select (select count(*) from generations where account_id = any($1) and status in ('queued', 'running'))::int
            + (select count(*) from deliveries where account_id = any($1) and finished_at is null)::int as open`,
          [ids],
        );
        return row?.open === 0;
      },
      timeoutMs,
      100,
    );
  }

  async #start(kind: 'api' | 'worker', options: StartOptions): Promise<ServiceProcess> {
    for (let attempt = 1; ; attempt++) {
      const started = await this.#spawn(kind, options);
      if (options.isAwaited === false) return started;
      try {
        return await started.ready();
      } catch (error) {
        // Another process may have taken the free port meanwhile.
        if (attempt === 3 || started.exit === undefined || !started.log().includes('EADDRINUSE')) throw error;
        this.processes.splice(this.processes.indexOf(started), 1);
      }
    }
  }

  async #spawn(kind: 'api' | 'worker', { env = {}, wrapper }: StartOptions): Promise<ServiceProcess> {
    const [port = 0, operationsPort = 0] = await findFreePorts(2);
    const name = `${kind}-${++this.#started}`;
    const { PATH = '', HOME = '/', LANG = 'C.UTF-8' } = process.env;
    const files = { TMPDIR: this.tempFolder, OFFICE_TEMP_DIR: this.officeFolder };
    const rowSettings = { QUEUE_PREFIX: this.prefix, FAILPOINTS_DIR: this.failpoints.folder };
    const started = new ServiceProcess({
      name,
      kind,
      port,
      operationsPort,
      failpoints: this.backing.build,
      wrapper,
      logFile: join(this.folder, `${name}.log`),
      env: {
        PATH,
        HOME,
        LANG,
        ...fontVariables,
        ...files,
        ...this.backing.variables,
        ...fastSettings,
        ...rowSettings,
        ...env,
      },
    });
    this.processes.push(started);
    return started;
  }
}

/** Sends requests at once. */
export function together<T>(count: number, send: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => send(index)));
}

/** Counts answers by status. */
export function tally(answers: readonly Pick<Answer, 'status'>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

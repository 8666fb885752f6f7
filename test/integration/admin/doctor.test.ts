import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { loadStorageConfig } from '../../../src/shared/config/load-config.ts';
import { openObjects } from '../../../src/shared/connections.ts';
import { createSecretBox } from '../../../src/shared/domain/webhooks/secret-box.ts';
import { randomText } from '../../../src/shared/ids.ts';
import { openRedis, redisReady } from '../../../src/shared/queue/redis.ts';
import { ownerKey } from '../../../src/shared/storage/bucket-owner.ts';
import { newAccount } from '../../support/domain/accounts.ts';
import { listenOnLoopback } from '../../support/loopback.ts';
import { olderOffice } from '../../support/older-office.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { newPrefix, silent, startOwnRedis } from '../../support/services/redis.ts';
import { type AdminRun, runAdmin, temporaryFolder } from './run-admin.ts';

const { db, pool, url } = await useOwnDatabase();
const older = olderOffice();

interface Line {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly fix?: string;
}

/** The environment of a working service with a bucket of its own. */
async function healthy(): Promise<Record<string, string>> {
  const { endpoint, region, accessKey, secretKey } = inject('s3');
  const env = {
    DATABASE_URL: url,
    DATABASE_POOL_SIZE: '5',
    REDIS_URL: inject('redisUrl'),
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: newPrefix(),
    S3_ACCESS_KEY_ID: accessKey,
    S3_SECRET_ACCESS_KEY: secretKey,
    SMTP_URL: inject('smtpUrl'),
    PUBLIC_URL: 'https://documents.example.com',
    WEBHOOK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    RECEIPT_SIGNING_KEY: 'not read by the doctor',
  };
  const objects = openObjects(loadStorageConfig(env), silent);
  await objects.prepare();
  objects.close();
  return env;
}

/** The same environment, with an object in the bucket. */
async function withObject(key: string, text: string): Promise<Record<string, string>> {
  const env = await healthy();
  const objects = openObjects(loadStorageConfig(env), silent);
  onTestFinished(() => objects.close());
  await objects.put(key, Buffer.from(text), 'text/plain');
  return env;
}

async function setRedis(port: number, name: string, value: string): Promise<void> {
  const redis = openRedis({ REDIS_URL: `redis://127.0.0.1:${port}`, REDIS_CLUSTER: false }, 'commands', silent);
  await redisReady(redis, 10_000);
  await redis.config('SET', name, value);
  redis.disconnect();
}

const doctor = (only: string, env: Readonly<Record<string, string>>): Promise<AdminRun> =>
  runAdmin(['doctor', '--only', only], env);

const linesOf = ({ out }: AdminRun): readonly Line[] => out.checks as readonly Line[];

const fixOf = (run: AdminRun): string | undefined =>
  linesOf(run).find(({ check, status }) => check === 'file store' && status === 'failed')?.fix;

/** Expects exactly this problem, with a fix, and no other failure. */
function expectProblem(run: AdminRun, status: 'warning' | 'failed', check: string, message: RegExp): void {
  const problems = linesOf(run).filter((line) => line.status === status);
  expect(problems).toContainEqual({
    check,
    status,
    message: expect.stringMatching(message),
    fix: expect.stringMatching(/\w+/),
  });
  if (status === 'failed') expect(problems.map((line) => line.check)).toEqual([check]);
  expect(run.out.status).toBe(status);
  expect(run.code).toBe(status === 'failed' ? 2 : 0);
}

test('a healthy set-up reports ok for every check', async () => {
  const port = await startOwnRedis();
  await setRedis(port, 'appendonly', 'yes');
  const one = { OFFICE_SLOTS: '1', BATCH_OFFICE_SLOTS: '1', RENDER_PROCESSES: '1', BATCH_RENDER_PROCESSES: '1' };
  const env = { ...(await healthy()), ...one, REDIS_URL: `redis://127.0.0.1:${port}` };
  const run = await runAdmin(['doctor'], env);
  // On a busy machine a server may answer late, which is worth a warning.
  const isLate = ({ message }: Line) => / answers in /.test(message);
  const warnings = linesOf(run).filter(({ status }) => status !== 'ok');
  expect(warnings.filter((line) => !isLate(line))).toEqual([]);
  const status = warnings.length === 0 ? 'ok' : 'warning';
  const database = ['', ' settings', ' rights', ' connections'].map((part) => `postgresql${part}`);
  const clocks = ['postgresql', 'redis', 'the file store'].map((server) => `clock of ${server}`);
  const store = ['file store', 'owner of the file store', 'versions of the file store'];
  const redis = ['redis', ...['policy', 'memory', 'persistence', 'rights', 'database'].map((part) => `redis ${part}`)];
  const machine = ['node', 'temporary files', 'open files', 'processes', 'memory', 'processors'];
  const office = ['libreoffice', 'working folder of libreoffice', 'jail', 'fonts'];
  const others = ['configuration', 'schema', 'direct layout', 'keys of webhook secrets', 'mail server', 'telemetry'];
  expect([...new Set(linesOf(run).map(({ check }) => check))].sort()).toEqual(
    [database, clocks, store, redis, machine, office, others].flat().sort(),
  );
  expect(run).toMatchObject({
    code: 0,
    out: {
      status,
      node: process.versions.node,
      office: {
        name: 'LibreOffice',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        program: expect.stringMatching(/soffice/),
        jail: expect.stringMatching(/^(bubblewrap|namespaces)/),
        startMs: expect.any(Number),
      },
      fonts: { scripts: expect.arrayContaining(['Arab', 'Hans', 'Latn', 'Zsye']), missingScripts: [] },
    },
  });
});

test('warnings alone have an exit code only with --strict', async () => {
  const env = { ...(await healthy()), PUBLIC_URL: '' };
  expect(await doctor('configuration', env)).toMatchObject({ code: 0, out: { status: 'warning' } });
  const strict = ['doctor', '--only', 'configuration', '--strict'];
  expect(await runAdmin(strict, env)).toMatchObject({ code: 1, out: { status: 'warning' } });
  expect(await runAdmin(strict, { ...env, PORT: 'x' })).toMatchObject({ code: 2, out: { status: 'failed' } });
  expect(await runAdmin(strict, await healthy())).toMatchObject({ code: 0, out: { status: 'ok' } });
});

describe('configuration', () => {
  test('names every invalid variable', async () => {
    const run = await doctor('configuration', { ...(await healthy()), PORT: 'x', OFFICE_JAIL: 'maybe' });
    expect(linesOf(run).map(({ message }) => message)).toEqual([
      expect.stringMatching(/^PORT: /),
      expect.stringMatching(/^OFFICE_JAIL: /),
    ]);
    expect(run.code).toBe(2);
  });

  test.each([
    ['PUBLIC_URL', 'public address'],
    ['WEBHOOK_SECRET_KEY', 'sealing key'],
    ['RECEIPT_SIGNING_KEY', 'signing key'],
  ])('warns without %s', async (name, check) => {
    expectProblem(await doctor('configuration', { ...(await healthy()), [name]: '' }), 'warning', check, /is not set/);
  });

  test('reports the variables that a checked component lacks', async () => {
    expectProblem(await doctor('redis', {}), 'failed', 'redis', /REDIS_URL: is not set/);
    expect(await doctor('everything', {})).toMatchObject({
      code: 2,
      problem: expect.stringContaining('--only must be'),
    });
  });
});

describe('PostgreSQL', () => {
  test('reports a wrong password', async () => {
    const wrong = new URL(url);
    wrong.password = 'wrong';
    const run = await doctor('postgresql', { ...(await healthy()), DATABASE_URL: wrong.href });
    expectProblem(run, 'failed', 'postgresql', /password authentication failed/);
    expect(JSON.stringify(run.out)).not.toContain('wrong');
  });

  test('reports a database without tables', async () => {
    const empty = await useOwnDatabase({ isEmpty: true });
    const run = await doctor('postgresql', { ...(await healthy()), DATABASE_URL: empty.url });
    expectProblem(run, 'failed', 'schema', /no tables/);
  });

  test('reports webhook secrets whose sealing key is lost', async () => {
    onTestFinished(async () => void (await pool.query('delete from webhook_endpoints')));
    const [mine, lost] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string];
    await pool.query(`insert into accounts (id, name, created_at) values ('acc_sealed', 'sealed', now())`);
    for (const [id, key] of [
      ['whk_mine', mine],
      ['whk_lost', lost],
    ] as const)
      await pool.query(
        `insert into webhook_endpoints (id, account_id, kind, url, events, status, secret, created_at, updated_at)
          values ($1, 'acc_sealed', 'endpoint', 'https://example.com', '[]', 'enabled', $2, now(), now())`,
        [id, createSecretBox([key]).seal('whsec_secret', id)],
      );
    const [keyId = ''] = createSecretBox([lost]).keyIds;
    const run = await doctor('postgresql', await healthy());
    expectProblem(run, 'failed', 'keys of webhook secrets', new RegExp(`lacks keys .*: ${keyId} \\(1\\)`));
    const both = await doctor('postgresql', { ...(await healthy()), WEBHOOK_SECRET_KEY: `${mine},${lost}` });
    expect(linesOf(both)).toContainEqual(expect.objectContaining({ check: 'keys of webhook secrets', status: 'ok' }));
  });

  /** A user of PostgreSQL with the given rights on the database of this file. */
  async function newRole(...rights: readonly string[]): Promise<string> {
    const role = `test_${randomText(12)}`;
    await pool.query(`create role ${role} login password 'doctor'`);
    onTestFinished(async () => {
      await pool.query(`drop owned by ${role}`);
      await pool.query(`drop role ${role}`);
    });
    for (const right of rights) await pool.query(right.replace('ROLE', role));
    const own = new URL(url);
    [own.username, own.password] = [role, 'doctor'];
    return own.href;
  }
  const reading = ['grant select on all tables in schema public to ROLE', 'grant usage on schema drizzle to ROLE'];
  const writing = 'grant insert, update, delete on all tables in schema public to ROLE';

  test.each([
    ['may only read', [], /cannot be written and removed: permission denied for table accounts/],
    ['may not write a table', [writing, 'revoke insert on ledger from ROLE'], /may not read and write ledger/],
    ['owns no tables', [writing], /may not create the partitions of the coming months/],
  ])('a user who %s', async (_, rights, message) => {
    const readsRecords = 'grant select on all tables in schema drizzle to ROLE';
    const env = { ...(await healthy()), DATABASE_URL: await newRole(...reading, readsRecords, ...rights) };
    expectProblem(await doctor('postgresql', env), 'failed', 'postgresql rights', message);
  });

  test('a role whose transactions may only read by default, and are serializable, suffices', async () => {
    const href = await newRole(
      `grant ${new URL(url).username} to ROLE`,
      'alter role ROLE set default_transaction_read_only = on',
      "alter role ROLE set default_transaction_isolation = 'serializable'",
    );
    const run = await doctor('postgresql', { ...(await healthy()), DATABASE_URL: href });
    expect(linesOf(run)).toContainEqual(expect.objectContaining({ check: 'postgresql rights', status: 'ok' }));
    expect(linesOf(run).filter(({ status }) => status === 'failed')).toEqual([]);
  });

  test('direct layout that is off, and templates whose pages are not compared', async () => {
    const { templateId } = await newAccount(db, { docs: 1 });
    const request = (state: string, reasons: readonly string[]) =>
      pool.query(
        `insert into layout_proofs (template_id, version, layout_key, state, reasons, requested_at)
          values ($1, 1, $2, $2, $3, now() - interval '11 minutes')`,
        [templateId, state, JSON.stringify(reasons)],
      );
    onTestFinished(
      async () => void (await pool.query('delete from layout_proofs where template_id = $1', [templateId])),
    );
    const look = async (env = {}) => await doctor('postgresql', { ...(await healthy()), ...env });
    const direct = (message: RegExp) =>
      expect.objectContaining({ check: 'direct layout', status: 'ok', message: expect.stringMatching(message) });
    expect(linesOf(await look())).toContainEqual(direct(/^turned on; .* directly: 0, by LibreOffice: 0$/));
    await request('office', ['The pages of both engines could not be compared.']);
    expectProblem(await look(), 'warning', 'direct layout', /could not be compared: 1$/);
    await request('waiting', []);
    expectProblem(await look(), 'warning', 'direct layout', /waited ten minutes or longer .*: 1$/);
    expect(linesOf(await look({ DIRECT_PDF: 'off' }))).toContainEqual(direct(/^turned off/));
  });

  test('fewer connections than one pool', async () => {
    const run = await doctor('postgresql', { ...(await healthy()), DATABASE_POOL_SIZE: '500' });
    expectProblem(run, 'failed', 'postgresql connections', /500 connections each may need 1500/);
  });
});

describe('Redis', () => {
  const memory = 'redis memory';
  const tooLittle = /maxmemory is 256 MB, and the limits of waiting documents allow 485 MB/;
  const evicts = /allkeys-lru: queued documents may be dropped/;

  async function look(name: string, value: string, changes: Readonly<Record<string, string>> = {}, login = '') {
    const port = await startOwnRedis();
    await setRedis(port, name, value);
    return await doctor('redis', { ...changes, REDIS_URL: `redis://${login}127.0.0.1:${port}` });
  }

  test.each([
    ['a missing memory limit', 'maxmemory', '0', {}, memory, /no maxmemory is set/],
    ['less memory than the limits allow', 'maxmemory', '256mb', {}, memory, tooLittle],
    ['less memory than custom limits allow', 'maxmemory', '512mb', { WAITING_DATA_MB: '400' }, memory, /allow 785 MB/],
    ['missing persistence', 'appendonly', 'no', {}, 'redis persistence', /no append-only file/],
  ] as const)('warns about %s', async (_, name, value, changes, check, message) => {
    expectProblem(await look(name, value, changes), 'warning', check, message);
  });

  test('accepts 512 MB of maxmemory for the default limits', async () => {
    const lines = linesOf(await look('maxmemory', '512mb'));
    expect(lines).toContainEqual(expect.objectContaining({ check: memory, status: 'ok' }));
  });

  test('reports a policy that evicts keys', async () => {
    expectProblem(await look('maxmemory-policy', 'allkeys-lru'), 'failed', 'redis policy', evicts);
  });

  test('reports a wrong password', async () => {
    const run = await look('requirepass', 'right', {}, ':wrong@');
    expectProblem(run, 'failed', 'redis', /no connection: .*WRONGPASS/);
  });

  /** Looks as a user with these rights alone. */
  async function lookAs(...rules: readonly string[]): Promise<AdminRun> {
    const port = await startOwnRedis();
    const redis = openRedis({ REDIS_URL: `redis://127.0.0.1:${port}`, REDIS_CLUSTER: false }, 'commands', silent);
    await redisReady(redis, 10_000);
    await redis.call('ACL', 'SETUSER', 'clerk', 'on', '>secret', ...rules);
    redis.disconnect();
    return await doctor('redis', { REDIS_URL: `redis://clerk:secret@127.0.0.1:${port}` });
  }
  const needed = ['~{docmill-*', '~docmill:*', '&docmill:*', '+@all', '-@admin', '-@dangerous', '+info'];

  test('a user with the rights that a fix names suffices', async () => {
    const run = await lookAs(...needed);
    expect(linesOf(run)).toContainEqual(expect.objectContaining({ check: 'redis rights', status: 'ok' }));
    expect(linesOf(run).filter(({ status }) => status === 'failed')).toEqual([]);
  });

  test.each([
    ['keys', ['~other:*', '&*', '+@all'], /a value cannot be stored: NOPERM/],
    ['keys of queues', ['~docmill:*', '&*', '+@all'], /a script cannot be run: NOPERM/],
    ['scripts', [...needed, '-@scripting'], /a script cannot be run: NOPERM/],
    ['channels', ['~*', 'resetchannels', '+@all'], /a message does not arrive: NOPERM/],
    ['blocking commands', [...needed, '-@blocking'], /a job cannot be taken from a queue: .*NOPERM/],
    ['its description', [...needed, '-info'], /NOPERM/],
  ])('a user without rights on %s', async (_, rules, message) => {
    const run = await lookAs(...rules);
    expectProblem(run, 'failed', 'redis rights', message);
    expect(linesOf(run).find(({ status }) => status === 'failed')?.fix).toBe(
      `Give the user of REDIS_URL ${needed.join(' ')}`,
    );
  });

  test('a database that other programs use is worth a warning', async () => {
    const port = await startOwnRedis();
    const redis = openRedis({ REDIS_URL: `redis://127.0.0.1:${port}`, REDIS_CLUSTER: false }, 'commands', silent);
    await redisReady(redis, 10_000);
    await redis.mset('session:secret-name', '1', 'docmill:fonts', '1', '{docmill-mail}:mail:1', '1');
    redis.disconnect();
    const run = await doctor('redis', { REDIS_URL: `redis://127.0.0.1:${port}` });
    expectProblem(run, 'warning', 'redis database', /^1 of 3 keys that were looked at belong to other programs/);
    expect(JSON.stringify(run.out)).not.toContain('secret-name');
  });

  test('no server', async () => {
    expectProblem(await doctor('redis', { REDIS_URL: 'redis://127.0.0.1:1' }), 'failed', 'redis', /ECONNREFUSED/);
  });
});

/**
 * Passes requests on to the store, except those with a response of their own, and changes headers of the responses.
 */
async function storeProxy(
  answer: (incoming: IncomingMessage) => readonly [status: number, xml: string] | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const store = new URL(inject('s3').endpoint);
  const server = createServer((incoming, response) => {
    const own = answer(incoming);
    if (own !== undefined) {
      response.writeHead(own[0], { 'Content-Type': 'application/xml' }).end(`<?xml version="1.0"?>${own[1]}`);
      return void incoming.resume();
    }
    const target = { host: store.hostname, port: store.port, method: incoming.method, path: incoming.url };
    // A connection of its own: the store closes idle ones, even while a request is on its way.
    const onward = request({ ...target, agent: false, headers: incoming.headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, { ...reply.headers, ...headers });
      reply.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  const { url, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return url;
}

describe('the file store', () => {
  test('reports a bucket that may only be read', async () => {
    const endpoint = await storeProxy(({ method }) =>
      method === 'PUT' ? [403, '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>'] : undefined,
    );
    const run = await doctor('storage', { ...(await healthy()), S3_ENDPOINT: endpoint });
    expectProblem(run, 'failed', 'file store', /an object cannot be written in test-\w+: Access Denied/);
    expect(fixOf(run)).toMatch(/^Let the policy of the key allow s3:ListBucket/);
  });

  test('reports a bucket that does not exist', async () => {
    const run = await doctor('storage', { ...(await healthy()), S3_BUCKET: newPrefix() });
    expectProblem(run, 'failed', 'file store', /cannot be written.*bucket/i);
    expect(fixOf(run)).toMatch(/^Create the bucket test-\w+, or set S3_BUCKET/);
  });

  test.each(['InvalidAccessKeyId', 'SignatureDoesNotMatch'])(
    'reports a key that the store refuses with %s',
    async (code) => {
      const endpoint = await storeProxy(() => [403, `<Error><Code>${code}</Code><Message>Refused</Message></Error>`]);
      const run = await doctor('storage', { ...(await healthy()), S3_ENDPOINT: endpoint });
      expectProblem(run, 'failed', 'file store', /Refused/);
      expect(fixOf(run)).toMatch(/^Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY/);
    },
  );

  test.each(['Enabled', 'Suspended'])('warns about a bucket with versioning: %s', async (status) => {
    const body = `<VersioningConfiguration><Status>${status}</Status></VersioningConfiguration>`;
    const endpoint = await storeProxy(({ url }) => (url?.includes('?versioning') === true ? [200, body] : undefined));
    const run = await doctor('storage', { ...(await healthy()), S3_ENDPOINT: endpoint });
    expectProblem(run, 'warning', 'versions of the file store', /erased and expired objects remain/);
  });

  test('reports a bucket that belongs to another database', async () => {
    const message = /belongs to another database \(ins_another; this one is ins_\w+\)/;
    const run = await doctor('storage', await withObject(ownerKey, 'ins_another'));
    expectProblem(run, 'failed', 'owner of the file store', message);
  });

  test('reports a bucket with objects that an empty database does not know', async () => {
    const run = await doctor('storage', await withObject('templates/acc_1/tpl_1/upl_1.docx', 'docx'));
    expectProblem(run, 'failed', 'owner of the file store', /does not know \(1 of 1\)/);
  });

  test('warns that the database cannot be reached', async () => {
    const env = { ...(await healthy()), DATABASE_URL: 'postgres://none:none@127.0.0.1:9/none' };
    expectProblem(await doctor('storage', env), 'warning', 'owner of the file store', /not compared with the database/);
  });

  test('reports a clock that is an hour ahead', async () => {
    const endpoint = await storeProxy(() => undefined, { date: new Date(Date.now() + 3_600_000).toUTCString() });
    const run = await doctor('storage', { ...(await healthy()), S3_ENDPOINT: endpoint });
    expectProblem(run, 'failed', 'clock of the file store', /3[56]\d\d(\.\d)? s ahead/);
  });
});

describe('the mail server', () => {
  test('is reported when it refuses the session', async () => {
    const server = createTcpServer((socket) => {
      // The client closes the connection, or resets it with what it has not read.
      socket.on('error', () => undefined).resume();
      socket.end('554 5.7.1 you are blocked\r\n');
    });
    const { port, close } = await listenOnLoopback(server);
    onTestFinished(close);
    const run = await doctor('mail', { SMTP_URL: `smtp://127.0.0.1:${port}` });
    expectProblem(run, 'failed', 'mail server', /you are blocked/);
  });

  test('is reported when it does not respond', async () => {
    expectProblem(await doctor('mail', { SMTP_URL: 'smtp://127.0.0.1:1' }), 'failed', 'mail server', /ECONNREFUSED/);
  });
});

test('a collector that does not respond causes a warning', async () => {
  const run = await doctor('telemetry', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
  expectProblem(run, 'warning', 'telemetry', /does not answer/);
});

describe('LibreOffice', () => {
  test.skipIf(older === undefined)('is found at OFFICE_PATH', async () => {
    const { out } = await doctor('office,fonts', { OFFICE_PATH: older ?? '' });
    // The engine cannot draw the emoji font.
    expect(out.fonts).toMatchObject({ missingScripts: ['Zsye'] });
    expect(out.office).toMatchObject({
      version: expect.stringMatching(/^7\.4\./),
      program: join(older ?? '', 'program/soffice.bin'),
    });
  });

  test('is reported when it is missing', async () => {
    const run = await doctor('office', { OFFICE_PATH: '/nowhere' });
    expectProblem(run, 'failed', 'libreoffice', /LibreOffice was not found \(tried \/nowhere\)/);
  });

  test('is reported when it runs without a jail', async () => {
    expectProblem(await doctor('office', { OFFICE_JAIL: 'off' }), 'warning', 'jail', /sees the files and the network/);
  });

  test('is reported when it has no fonts', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'fonts'));
    const config = join(folder, 'fonts.conf');
    writeFileSync(
      config,
      `<?xml version="1.0"?><fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}</cachedir></fontconfig>`,
    );
    expectProblem(await doctor('fonts', { FONTCONFIG_FILE: config }), 'failed', 'fonts', /0 families/);
  });
});

describe('the machine', () => {
  test('is reported when its disk is full', async () => {
    const folder = temporaryFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
    onTestFinished(() => void execFileSync('umount', [folder]));
    const run = await doctor('machine', { ...(await healthy()), OFFICE_TEMP_DIR: join(folder, 'office') });
    expectProblem(run, 'failed', 'working folder of libreoffice', / has [01] MB free/);
  });

  test('is reported when its memory is too small for the engines', async () => {
    const run = await doctor('machine', { ...(await healthy()), OFFICE_SLOTS: '64', BATCH_OFFICE_SLOTS: '64' });
    expectProblem(run, 'failed', 'memory', /the kernel may kill them/);
  });

  /** Runs a program with this limit of open files. */
  async function runLimited(limit: number, program: string) {
    const env = { PATH: process.env.PATH, ...(await healthy()) };
    const child = spawn('sh', ['-c', `ulimit -n ${limit}; exec "$0" ${program}`, process.execPath], { env });
    const [text, problem] = await Promise.all([readAll(child.stdout), readAll(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, text, problem };
  }

  test('few open files', async () => {
    const { text } = await runLimited(512, 'dist/admin/main.js doctor --only machine --json');
    const { checks } = JSON.parse(text) as { readonly checks: readonly Line[] };
    expect(checks).toContainEqual(expect.objectContaining({ check: 'open files', status: 'failed' }));
  });

  test.each(['dist/admin/main.js doctor', 'dist/api/main.js', 'dist/worker/main.js'])(
    'fewer open files than %s needs to start',
    async (program) => {
      expect(await runLimited(64, program)).toEqual({
        code: 1,
        text: '',
        problem: expect.stringMatching(/^This process may open 64 files at once and needs at least 256\. Raise .*\n$/),
      });
    },
  );
});

import { X509Certificate } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/shared/db/client.ts';
import { migrateDatabase } from '../../../src/shared/db/migrate.ts';
import { accounts } from '../../../src/shared/db/schema/accounts.ts';
import { run } from '../../../src/shared/db/statement.ts';
import { openFolder } from '../../../tools/local/backing-services.ts';
import { startPostgres } from '../../../tools/local/services/postgres.ts';
import type { Certificate } from '../../support/services/certificates.ts';
import { silent } from '../../support/services/redis.ts';
import { runAdmin } from '../admin/run-admin.ts';
import { usePeers } from './use-peers.ts';

const peers = usePeers();
const client = peers.authority.issue('DNS:client');
let folder = '';
let dataFolder = '';
let url = '';
let close = async (): Promise<void> => undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docmill-tls-db-'));
  const opened = await openFolder(folder, process.env, () => undefined);
  close = opened.close;
  dataFolder = opened.layout.postgres;
  url = (await startPostgres(opened.context, 'hidden-password')).databaseUrl;
  await migrateDatabase(url);
});

afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

/** Files of PostgreSQL belong to its user, and keys to nobody else. */
function give(path: string, content: string): void {
  const { uid, gid } = statSync(dataFolder);
  writeFileSync(path, content);
  chownSync(path, uid, gid);
  chmodSync(path, 0o600);
}

async function onServer(...statements: readonly string[]): Promise<void> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  for (const statement of statements) await session.query(statement);
  await session.end();
}

/** The fingerprint of the certificate that the server presents. */
async function presented(): Promise<string> {
  const session = new pg.Client({ connectionString: url, ssl: { rejectUnauthorized: false } });
  await session.connect();
  const { stream } = (session as unknown as { readonly connection: { readonly stream: TLSSocket } }).connection;
  const { fingerprint256 } = stream.getPeerCertificate();
  await session.end();
  return fingerprint256;
}

/** Resolves once the real server, which reads its settings some time after they have changed, uses a certificate. */
async function serve({ cert, key }: Certificate): Promise<void> {
  give(join(dataFolder, 'server.crt'), cert);
  give(join(dataFolder, 'server.key'), key);
  give(join(dataFolder, 'root.crt'), peers.authority.cert);
  await onServer("alter system set ssl_ca_file = 'root.crt'", 'alter system set ssl = on', 'select pg_reload_conf()');
  await expect.poll(presented).toBe(new X509Certificate(cert).fingerprint256);
}

const openOne = (address: string) =>
  openDatabase({ url: address, poolSize: 1, timeoutMs: 30_000, applicationName: 'test' }, silent);

/** Whether the server sees the connection as encrypted. */
async function isSecure(address: string): Promise<boolean> {
  const handle = openOne(address);
  try {
    const { rows } = await handle.pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    return rows[0]?.ssl === true;
  } finally {
    await handle.close();
  }
}

const withCa = (mode: string, address = url) => `${address}?sslmode=${mode}&sslrootcert=${peers.authority.certFile}`;
const errorOf = (address: string): Promise<string> =>
  isSecure(address).then(
    (secure) => `connected, ssl ${secure}`,
    (error: unknown) => `${error}`,
  );

describe('TLS to PostgreSQL', () => {
  it('is refused, and never replaced by plain text, when the server has none', async () => {
    expect(await isSecure(url)).toBe(false);
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      expect(await errorOf(withCa(mode))).toMatch(/does not support SSL connections/);
    expect(await errorOf(`${url}?sslmode=no-verify`)).toMatch(/does not support SSL connections/);
  });

  it('connects when the authority, the name and the dates are right', async () => {
    await serve(peers.right);
    for (const mode of ['require', 'verify-ca', 'verify-full']) expect(await isSecure(withCa(mode))).toBe(true);
    expect(await isSecure(withCa('verify-full', url.replace('127.0.0.1', 'localhost')))).toBe(true);
    expect(await errorOf(`${url}?sslmode=require`)).toMatch(/unable to|self-signed/);
    const migrated = await runAdmin(['migrate'], { DATABASE_URL: withCa('verify-full') });
    expect(migrated).toMatchObject({ code: 0, out: { migrated: true } });
  });

  it('is refused for another authority', async () => {
    await serve(peers.untrusted);
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      expect(await errorOf(withCa(mode))).toMatch(/unable to verify|certificate/);
  });

  it('is refused for another name, except with verify-ca', async () => {
    await serve(peers.wrongName);
    for (const mode of ['require', 'verify-full']) expect(await errorOf(withCa(mode))).toMatch(/does not match/);
    expect(await isSecure(withCa('verify-ca'))).toBe(true);
  });

  it('is refused for an expired certificate, as an outage that says why', async () => {
    await serve(peers.expired);
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      expect(await errorOf(withCa(mode))).toMatch(/certificate has expired/);
    const handle = openOne(withCa('verify-full'));
    await expect(run(handle.db, handle.db.select().from(accounts))).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: expect.stringContaining('certificate has expired') },
    });
    await handle.close();
  });

  it('a client certificate is sent when the server asks for one', async () => {
    await serve(peers.right);
    const file = join(dataFolder, 'pg_hba.conf');
    const before = readFileSync(file, 'utf8');
    try {
      give(file, 'hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca\n');
      await onServer('select pg_reload_conf()');
      await expect.poll(() => errorOf(withCa('verify-full'))).toMatch(/valid client certificate/);
      expect(await isSecure(`${withCa('verify-full')}&sslcert=${client.certFile}&sslkey=${client.keyFile}`)).toBe(true);
      const newcomer = peers.other.issue('DNS:client');
      expect(await errorOf(`${withCa('verify-full')}&sslcert=${newcomer.certFile}&sslkey=${newcomer.keyFile}`)).toMatch(
        /Error/,
      );
    } finally {
      give(file, before);
    }
  });
});

import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the peers of the compose file are on this machine. */
export interface Peers {
  readonly databaseUrl: string;
  readonly redisPort: string;
  readonly s3SecretKey: string;
  readonly smtpUrl: string;
}

/** Makes the secrets of an installation with `deploy/make-secrets`; URLs lead to services of this machine. */
export function makeSecrets(folder: string, { databaseUrl, redisPort, s3SecretKey, smtpUrl }: Peers): void {
  const env = { ...process.env, SECRETS_DIR: folder };
  execFileSync('deploy/make-secrets', ['--smtp-url', smtpUrl], { env, stdio: ['ignore', 'inherit', 'pipe'] });
  const replace = (name: string, content: string): void => {
    const file = join(folder, name);
    rmSync(file);
    writeFileSync(file, `${content}\n`, { mode: 0o444 });
  };
  const redisUrl = readFileSync(join(folder, 'redis_url'), 'utf8').trim();
  replace('redis_url', redisUrl.replace('@redis:6379', `@127.0.0.1:${redisPort}`));
  replace('database_url', databaseUrl);
  replace('s3_secret_access_key', s3SecretKey);
  // Here processes open the files themselves; an engine would mount them.
  chmodSync(folder, 0o755);
}

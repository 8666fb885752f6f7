import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

interface Secrets {
  readonly postgresPassword: string;
}

/** Made on first use and kept: the cluster on the disk knows the password it was made with. */
export function keepSecrets(file: string): Secrets {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secrets: Secrets = { postgresPassword: randomBytes(18).toString('base64url') };
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}

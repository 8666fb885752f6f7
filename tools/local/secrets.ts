import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { readStateFile } from './state-file.ts';

const secretsSchema = z.object({ postgresPassword: z.string().min(1) });
type Secrets = z.infer<typeof secretsSchema>;

/** Made on first use and kept: the cluster on the disk knows the password it was made with. */
export function keepSecrets(file: string): Secrets {
  const kept = readStateFile(file, secretsSchema);
  if (kept !== undefined) return kept;
  if (existsSync(file)) throw new Error(`${file} cannot be read: remove its folder to start anew`);
  const secrets = { postgresPassword: randomBytes(18).toString('base64url') };
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600, flush: true });
  return secrets;
}

import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Layout {
  readonly root: string;
  readonly postgres: string;
  readonly redis: string;
  readonly s3: string;
  readonly mail: string;
  readonly mailIncoming: string;
  readonly logs: string;
  readonly lockFile: string;
  readonly pidsFile: string;
  readonly secretsFile: string;
  readonly receiptKeyFile: string;
  readonly accountFile: string;
}

export function makeLayout(folder: string): Layout {
  const root = resolve(folder);
  const layout: Layout = {
    root,
    postgres: join(root, 'postgres'),
    redis: join(root, 'redis'),
    s3: join(root, 's3'),
    mail: join(root, 'mail'),
    mailIncoming: join(root, 'mail-incoming'),
    logs: join(root, 'logs'),
    lockFile: join(root, 'stack.lock'),
    pidsFile: join(root, 'pids.json'),
    secretsFile: join(root, 'secrets.json'),
    receiptKeyFile: join(root, 'receipt-key.pem'),
    accountFile: join(root, 'demo-account.json'),
  };
  for (const made of [root, layout.redis, layout.s3, layout.mail, layout.mailIncoming, layout.logs]) {
    mkdirSync(made, { recursive: true });
  }
  for (const secret of [layout.redis, layout.s3, layout.mail, layout.mailIncoming, layout.logs])
    chmodSync(secret, 0o700);
  return layout;
}

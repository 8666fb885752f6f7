import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startLocalStack } from '../../support/services/local-stack.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docmill-refusals-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a port in use is reported, and no process keeps running', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    const ending = await startLocalStack({ LOCAL_DIR: folder, PORT: String(port) }).ended;
    expect(ending).toMatchObject({ exitCode: 1, stdout: [] });
    expect(ending.stderr).toContain(`port ${port} is in use`);
    expect(readdirSync(folder)).not.toContain('stack.lock');
  } finally {
    server.close();
  }
});

test('a missing Redis is reported with the command that installs it', async () => {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const program of ['node', 'npm', 'sh', 'id']) {
    symlinkSync(execFileSync('which', [program], { encoding: 'utf8' }).trim(), join(bin, program));
  }
  const ending = await startLocalStack({ LOCAL_DIR: folder, PORT: '0', PATH: bin }).ended;
  expect(ending).toMatchObject({ exitCode: 1, stdout: [] });
  expect(ending.stderr).toMatch(
    /redis-server is missing: run '((sudo )?apt-get install --yes redis-server|brew install redis)'/,
  );
});

test.each([
  ['WORKERS', 'many'],
  ['PORT', '70000'],
])('%s=%s is refused by name', async (name, value) => {
  const ending = await startLocalStack({ LOCAL_DIR: folder, [name]: value }).ended;
  expect(ending).toMatchObject({ exitCode: 1, stdout: [] });
  expect(ending.stderr).toContain(`${name} must be a whole number from 0 to `);
});

import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildUnlessCurrent } from '../../../tools/local/build.ts';
import { type OperatorServer, startOperatorServer } from '../client/operator-server.ts';
import { startLocalStack } from './local-stack.ts';
import './provided.ts';

const commandLine = {
  folder: 'clients/cli/dist',
  inputs: ['src', 'tsconfig.json', 'tsconfig.build.json', 'package.json']
    .flatMap((name) => [`clients/cli/${name}`, `clients/typescript/${name}`])
    .concat('package-lock.json'),
  outputs: ['main.js', '../../typescript/dist/main.js'],
  args: ['run', '--silent', 'build', '--workspace', '@docmill/client', '--workspace', 'docmill'],
};

/** Builds the command-line client as it is packaged, which starts four times as fast as its sources. */
async function buildCommandLine(): Promise<void> {
  const { signal } = new AbortController();
  await buildUnlessCurrent(commandLine, {
    projectFolder: process.cwd(),
    env: process.env,
    report: () => undefined,
    signal,
  });
}

/**
 * Builds the command line, and starts one whole stack for the acceptance suite with `npm run local` in a temporary
 * folder.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'docmill-acceptance-'));
  const signingKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' });
  const secrets = { RECEIPT_SIGNING_KEY: signingKey.toString('base64') };
  // A template's engine would change in the middle of a test: see ADR 85. Tests of direct layout start their own stack.
  const stack = startLocalStack({ LOCAL_DIR: folder, PORT: '0', DIRECT_PDF: 'off', ...secrets });
  let operator: OperatorServer | undefined;
  const tearDown = async (): Promise<void> => {
    await operator?.close();
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [line] = await Promise.all([stack.ready, buildCommandLine()]);
    operator = await startOperatorServer(line.env.DATABASE_URL ?? '');
    project.provide('stack', { ...line, operatorUrl: operator.url });
    return tearDown;
  } catch (error) {
    await tearDown();
    throw error;
  }
}

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Image } from './replay-stage.ts';

export interface RunningImage {
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

const readyWithinMs = 90_000;
export const nobody = { uid: 65_534, gid: 65_534 };

/** Runs the image's command with its variables as an unprivileged user and waits for its health check. */
export async function runImage(name: string, image: Image, variables: NodeJS.ProcessEnv): Promise<RunningImage> {
  if (image.user === 'root') throw new Error(`${name} runs as root`);
  const { PATH } = process.env;
  const env = { PATH, ...image.env, ...variables };
  const logFile = join(image.root, `${name}.log`);
  const child = spawn(image.command[0] ?? '', image.command.slice(1), {
    cwd: join(image.root, image.workdir),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(process.getuid?.() === 0 ? nobody : {}),
  });
  const log = createWriteStream(logFile);
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  await untilHealthy(name, image, child, env, logFile);
  return { pid: child.pid ?? 0, stop: () => stop(name, child) };
}

async function untilHealthy(
  name: string,
  { healthCheck }: Image,
  child: ChildProcess,
  env: NodeJS.ProcessEnv,
  logFile: string,
): Promise<void> {
  const [program, ...args] = healthCheck;
  if (program === undefined) throw new Error(`${name} has no health check`);
  for (const deadline = Date.now() + readyWithinMs; Date.now() < deadline; await delay(500)) {
    if (child.exitCode !== null) throw new Error(`${name} exited: ${readFileSync(logFile, 'utf8')}`);
    const isHealthy = await promisify(execFile)(program, args, { env }).then(
      () => true,
      () => false,
    );
    if (isHealthy) return;
  }
  throw new Error(`${name} was not healthy within ${readyWithinMs} ms: ${readFileSync(logFile, 'utf8')}`);
}

/** Runs another command of the image and returns its output. */
export async function runOnce(image: Image, command: readonly string[], variables: NodeJS.ProcessEnv): Promise<string> {
  const [program = '', ...args] = command;
  const { PATH } = process.env;
  const env = { PATH, ...image.env, ...variables };
  return (await promisify(execFile)(program, args, { cwd: join(image.root, image.workdir), env })).stdout;
}

async function stop(name: string, child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`${name} exited unexpectedly with ${child.exitCode}`);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = (await exited) as [number | null];
  if (code !== 0) throw new Error(`${name} exited with ${code} at SIGTERM`);
}

export async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return String(address.port);
}

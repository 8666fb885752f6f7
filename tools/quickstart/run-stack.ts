import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

export interface Stack {
  readonly url: string;
  readonly apiKey: string;
  readonly accountId: string;
  readonly mailDir: string;
  readonly localDir: string;
  readonly logsDir: string;
  /** The metrics addresses of the API and the workers. */
  readonly metricsUrls: readonly string[];
  /** The environment variables with the addresses of its servers. */
  readonly env: Readonly<Record<string, string>>;
}

export interface RunningStack {
  readonly stack: Stack;
  readonly stop: () => void;
  readonly exitCode: Promise<number>;
}

const defaultPort = 3000;

/** Starts the local stack as a child process on the same terminal and waits for its JSON line. */
export async function runStack(env: NodeJS.ProcessEnv): Promise<RunningStack> {
  const { PORT: wantedPort } = env;
  const port = wantedPort || String(await choosePort());
  const child = spawn(process.execPath, ['--import', 'tsx', 'tools/local/main.ts'], {
    env: { ...env, PORT: port, STOP_WITH_PARENT: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = (): void => void child.kill('SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  const exitCode = once(child, 'exit').then(([code]) => (code as number | null) ?? 1);
  const line = await Promise.race([firstLine(child), exitCode]);
  if (typeof line === 'number') process.exit(line);
  return { stack: JSON.parse(line) as Stack, stop, exitCode };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the stack has no output');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return line;
}

/** The default port, or any free one if another program uses it. */
async function choosePort(): Promise<number> {
  const server = createServer();
  try {
    server.listen(defaultPort, '127.0.0.1');
    await once(server, 'listening');
    return defaultPort;
  } catch {
    process.stderr.write(`port ${defaultPort} is in use, so a free one is used (set PORT to choose one)\n`);
    return 0;
  } finally {
    server.close();
  }
}

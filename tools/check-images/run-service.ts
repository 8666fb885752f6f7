import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ComposeService, readComposeServices, readRedisCommand } from './compose-services.ts';
import { makeSecrets } from './make-secrets.ts';
import type { Image } from './replay-stage.ts';
import { findFreePort, nobody, type RunningImage, runImage, runOnce } from './run-image.ts';

export interface Backing {
  readonly apiKey: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Runs every process of the compose file from the images, with its variables, secrets and Redis, on services of this machine:
 * the migration first, then the others. Uploads a template, generates a PDF and makes a backup. Reports the memory of each process.
 */
export async function runService(
  imageOf: (name: string) => Image,
  backing: Backing,
  workFolder: string,
  report: (line: string) => void,
): Promise<void> {
  const secrets = join(workFolder, 'secrets');
  const { DATABASE_URL, S3_SECRET_ACCESS_KEY, SMTP_URL, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_BUCKET } = backing.env;
  if (DATABASE_URL === undefined || S3_SECRET_ACCESS_KEY === undefined || SMTP_URL === undefined)
    throw new Error('the local services do not say where they are');
  const redisPort = await findFreePort();
  makeSecrets(secrets, { databaseUrl: DATABASE_URL, redisPort, s3SecretKey: S3_SECRET_ACCESS_KEY, smtpUrl: SMTP_URL });
  const services = readComposeServices(secrets);
  const redis = await startRedis(readRedisCommand(secrets), redisPort, workFolder);
  const store = { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_BUCKET };
  const running: RunningImage[] = [];
  try {
    const migrate = serviceOf(services, 'migrate');
    const output = await runOnce(imageOf(migrate.target), migrate.command ?? [], migrate.env);
    report(`migrated: ${output.trim()}`);
    const port = await findFreePort();
    const started = services.filter(({ name }) => name.startsWith('worker-') || name === 'api');
    for (const { name, target, env } of started) {
      const image = await runImage(name, imageOf(target), {
        ...env,
        ...store,
        METRICS_HOST: '127.0.0.1',
        METRICS_PORT: await findFreePort(),
        ...(name === 'api' ? { HOST: '127.0.0.1', PORT: port } : { OFFICE_TEMP_DIR: makeFolder(workFolder, name) }),
      });
      running.push(image);
      report(`${name} is healthy with ${memoryMb(image.pid)} MB`);
    }
    await generatePdf(`http://127.0.0.1:${port}`, backing.apiKey);
    report('a template was uploaded and a PDF generated');
    const { target, env } = serviceOf(services, 'backup');
    const folder = makeFolder(workFolder, 'backups');
    const command = imageOf(target).command.map((word) => (word === '/backups' ? folder : word));
    report(`a backup was made: ${(await runOnce(imageOf(target), command, { ...env, ...store })).trim()}`);
  } finally {
    for (const image of running.reverse()) await image.stop();
    await redis.stop();
  }
}

function serviceOf(services: readonly ComposeService[], wanted: string): ComposeService {
  const found = services.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`the compose file has no service ${wanted}`);
  return found;
}

async function startRedis(command: readonly string[], port: string, workFolder: string) {
  const [program = '', ...args] = command;
  const folder = makeFolder(workFolder, 'redis');
  const here = ['--port', port, '--bind', '127.0.0.1', '--dir', folder];
  const child = spawn(program, [...args, ...here], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  for (let tries = 0; !(await asksForPassword(Number(port))); tries += 1) {
    if (child.exitCode !== null || tries > 100) throw new Error('Redis did not start with its password');
    await delay(100);
  }
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Whether Redis runs and asks for a password. */
async function asksForPassword(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString().startsWith('-NOAUTH');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** The resident memory of a process and its descendants; what they share counts once for each. */
function memoryMb(pid: number): number {
  const kilobytes = (id: number): number => {
    const status = readFileSync(`/proc/${id}/status`, 'utf8');
    const own = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    const children = readdirSync(`/proc/${id}/task`).flatMap((task) =>
      readFileSync(`/proc/${id}/task/${task}/children`, 'utf8')
        .split(' ')
        .filter((word) => word.trim() !== ''),
    );
    return own + children.reduce((sum, child) => sum + kilobytes(Number(child)), 0);
  };
  try {
    return Math.round(kilobytes(pid) / 1_024);
  } catch {
    return Number.NaN; // A process ended meanwhile, or this is not Linux.
  }
}

function makeFolder(workFolder: string, name: string): string {
  const folder = join(workFolder, `data-${name}`);
  mkdirSync(folder);
  if (process.getuid?.() === 0) chownSync(folder, nobody.uid, nobody.gid);
  return folder;
}

async function generatePdf(url: string, apiKey: string): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const form = new FormData();
  form.set('name', 'invoice.docx');
  form.set('file', new Blob([readFileSync('examples/invoice.docx')]), 'invoice.docx');
  const uploaded = await fetch(`${url}/v1/templates`, { method: 'POST', headers, body: form });
  const { id } = (await uploaded.json()) as { readonly id: string };
  const answer = await fetch(`${url}/v1/templates/${id}/generate`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: `{"data": ${readFileSync('examples/invoice.json', 'utf8')}, "output": {"format": "pdf"}}`,
  });
  const start = Buffer.from(await answer.arrayBuffer()).subarray(0, 200);
  if (!start.toString('latin1').startsWith('%PDF-')) throw new Error(`expected a PDF, got ${answer.status}: ${start}`);
}

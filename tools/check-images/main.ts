import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { listContext } from './build-context.ts';
import { parseDockerfile } from './parse-dockerfile.ts';
import { type Image, outsideImage, replayStage } from './replay-stage.ts';
import { findFreePort, nobody, type RunningImage, runImage, runOnce } from './run-image.ts';

const report = (line: string): void => void process.stderr.write(`  ${line}\n`);
const projectFolder = process.cwd();
const migrate = ['node', '--enable-source-maps', 'dist/admin/main.js', 'migrate', '--json'];

function buildImages(workFolder: string): (name: string) => Image {
  const images = new Map<string, Image>();
  const imageOf = (name: string): Image =>
    images.get(name) ?? outsideImage(name, join(workFolder, `outside-${images.size}`));
  const context = listContext(projectFolder);
  for (const stage of parseDockerfile(readFileSync('Dockerfile', 'utf8'))) {
    report(`stage ${stage.name}`);
    const root = join(workFolder, stage.name);
    images.set(stage.name, replayStage(stage, imageOf(stage.from), root, { projectFolder, context, imageOf, report }));
  }
  return imageOf;
}

interface Backing {
  readonly apiKey: string;
  readonly env: Record<string, string>;
  readonly stop: () => Promise<unknown>;
}

async function startBacking(folder: string): Promise<Backing> {
  const stack = spawn('npm', ['run', '--silent', 'local'], {
    env: { ...process.env, LOCAL_DIR: folder, PORT: '0', WORKERS: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(stack, 'exit');
  const failed = exited.then(() => Promise.reject(new Error('the real services did not start')));
  const [line] = (await Promise.race([once(createInterface(stack.stdout), 'line'), failed])) as [string];
  failed.catch(() => undefined);
  const { apiKey, env } = JSON.parse(line) as Omit<Backing, 'stop'>;
  const stop = (): Promise<unknown> => {
    stack.kill('SIGTERM');
    return exited;
  };
  return { apiKey, env, stop };
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

async function runImages(imageOf: (name: string) => Image, workFolder: string): Promise<void> {
  const backing = await startBacking(join(workFolder, 'services'));
  const running: RunningImage[] = [];
  try {
    report(`migrated: ${(await runOnce(imageOf('api'), migrate, backing.env)).trim()}`);
    const port = await findFreePort();
    const metrics = async () => ({ METRICS_HOST: '127.0.0.1', METRICS_PORT: await findFreePort() });
    const office = { OFFICE_TEMP_DIR: makeOfficeFolder(workFolder) };
    running.push(await runImage('worker', imageOf('worker'), { ...backing.env, ...(await metrics()), ...office }));
    report('the worker is healthy');
    const address = { HOST: '127.0.0.1', PORT: port };
    running.push(await runImage('api', imageOf('api'), { ...backing.env, ...(await metrics()), ...address }));
    report('the API is healthy');
    await generatePdf(`http://127.0.0.1:${port}`, backing.apiKey);
    report('a template was uploaded and a PDF generated');
  } finally {
    for (const image of running.reverse()) await image.stop();
    await backing.stop();
  }
}

function makeOfficeFolder(workFolder: string): string {
  const folder = join(workFolder, 'office');
  mkdirSync(folder);
  if (process.getuid?.() === 0) chownSync(folder, nobody.uid, nobody.gid);
  return folder;
}

const workFolder = mkdtempSync(join(tmpdir(), 'docmill-images-'));
chmodSync(workFolder, 0o755);
try {
  await runImages(buildImages(workFolder), workFolder);
  report('the images work');
} finally {
  rmSync(workFolder, { recursive: true, force: true });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { listContext } from './build-context.ts';
import { parseDockerfile } from './parse-dockerfile.ts';
import { type Image, outsideImage, replayStage } from './replay-stage.ts';
import { type Backing, runService } from './run-service.ts';

const report = (line: string): void => void process.stderr.write(`  ${line}\n`);
const projectFolder = process.cwd();

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

async function startBacking(folder: string): Promise<Backing & { readonly stop: () => Promise<unknown> }> {
  const stack = spawn('npm', ['run', '--silent', 'local'], {
    env: { ...process.env, LOCAL_DIR: folder, PORT: '0', WORKERS: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(stack, 'exit');
  const failed = exited.then(() => Promise.reject(new Error('the real services did not start')));
  const [line] = (await Promise.race([once(createInterface(stack.stdout), 'line'), failed])) as [string];
  failed.catch(() => undefined);
  const { apiKey, env } = JSON.parse(line) as Backing;
  const stop = (): Promise<unknown> => {
    stack.kill('SIGTERM');
    return exited;
  };
  return { apiKey, env, stop };
}

const workFolder = mkdtempSync(join(tmpdir(), 'docmill-images-'));
chmodSync(workFolder, 0o755);
try {
  const imageOf = buildImages(workFolder);
  const backing = await startBacking(join(workFolder, 'services'));
  try {
    await runService(imageOf, backing, workFolder, report);
  } finally {
    await backing.stop();
  }
  report('the images work');
} finally {
  rmSync(workFolder, { recursive: true, force: true });
}

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { planInstallation } from './look-up-packages.ts';
import type { Stage, Step } from './parse-dockerfile.ts';

export interface Image {
  /** The folder that represents the root of the container. */
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  /** The build arguments of the stage, with their defaults. */
  readonly args: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly user: string;
  /** The Debian release of the image that it begins with. */
  readonly release: string;
}

interface Workshop {
  readonly projectFolder: string;
  readonly context: readonly string[];
  readonly imageOf: (stage: string) => Image;
  readonly report: (line: string) => void;
}

/** Represents an image that the Dockerfile does not build, such as `node:24.20.0-trixie-slim`, whose Node.js is this one. */
export function outsideImage(name: string, root: string): Image {
  const programs = join(root, 'usr/local/bin');
  mkdirSync(programs, { recursive: true });
  if (name.startsWith('node:')) symlinkSync(process.execPath, join(programs, 'node'));
  const release = /-([a-z]+)(?:-slim)?$/.exec(name)?.[1] ?? '';
  return { release, root, workdir: '/', env: {}, args: {}, entrypoint: [], command: [], healthCheck: [], user: 'root' };
}

/** Executes one stage on a copy of its base image in a new folder. */
export function replayStage(stage: Stage, base: Image, root: string, workshop: Workshop): Image {
  mkdirSync(root, { recursive: true });
  copyFolder(base.root, root);
  return stage.steps.reduce<Image>((image, step) => replayStep(step, image, workshop), { ...base, root, args: {} });
}

function replayStep({ instruction, text }: Step, image: Image, workshop: Workshop): Image {
  switch (instruction) {
    case 'WORKDIR':
      mkdirSync(join(image.root, text), { recursive: true });
      return { ...image, workdir: text };
    case 'COPY':
      copy(text, image, workshop);
      return image;
    case 'RUN':
      run(text, image, workshop);
      return image;
    case 'ENV':
      return { ...image, env: { ...image.env, ...Object.fromEntries(text.split(/\s+/).map(splitPair)) } };
    case 'ARG': {
      const [name, value] = splitPair(text);
      return { ...image, args: { ...image.args, [name]: value.replace(/^"(.*)"$/, '$1') } };
    }
    case 'ENTRYPOINT':
      return { ...image, entrypoint: JSON.parse(text) as string[] };
    case 'CMD':
      return { ...image, command: JSON.parse(text) as string[] };
    case 'HEALTHCHECK':
      return { ...image, healthCheck: JSON.parse(text.slice(text.indexOf('['))) as string[] };
    case 'USER':
      return { ...image, user: text };
    case 'EXPOSE':
      return image;
    default:
      throw new Error(`the Dockerfile uses ${instruction}, which this check does not support`);
  }
}

function splitPair(pair: string): [string, string] {
  const [name = '', value = ''] = pair.split(/=(.*)/);
  return [name, value];
}

function copy(text: string, image: Image, { projectFolder, context, imageOf }: Workshop): void {
  const words = text.split(/\s+/);
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  const target = paths.pop() ?? '';
  for (const path of paths) {
    const source = from === undefined ? join(projectFolder, path) : join(imageOf(from).root, path);
    if (!existsSync(source)) throw new Error(`COPY ${text}: ${path} does not exist`);
    const destination = join(
      image.root,
      image.workdir,
      target,
      target.endsWith('/') && !isFolder(source) ? basename(path) : '',
    );
    if (from !== undefined) {
      mkdirSync(isFolder(source) ? destination : dirname(destination), { recursive: true });
      if (isFolder(source)) copyFolder(source, destination);
      else cpSync(source, destination);
      continue;
    }
    const files = context.filter((file) => file === path || file.startsWith(`${path}/`));
    if (files.length === 0) throw new Error(`COPY ${text}: .dockerignore excludes ${path}`);
    for (const file of files) {
      const copied = join(destination, file.slice(path.length));
      mkdirSync(dirname(copied), { recursive: true });
      cpSync(join(projectFolder, file), copied);
    }
  }
}

/** Checks that packages exist, in the version that the stage asks for, instead of installing them; runs npm. */
function run(text: string, image: Image, { report }: Workshop): void {
  const packages = /apt-get install ([^&]*)/
    .exec(text)?.[1]
    ?.replace(/\$(\w+)/g, (_whole, name: string) => image.args[name] ?? '')
    ?.split(/\s+/)
    .filter((word) => /^[a-z]/.test(word));
  if (packages !== undefined) {
    const planned = planInstallation(image.release, packages);
    const asked = planned.filter((line) => packages.includes(line.slice(0, line.indexOf(' '))));
    report(`${image.release} has ${asked.join(', ')}, with ${planned.length - asked.length} packages that they need`);
    checkOfficeVersion(planned, image.args.OFFICE_VERSION);
    return;
  }
  // Anything else could change this machine.
  if (!/^npm (ci|run) [\w=/ -]+$/.test(text)) throw new Error(`RUN ${text}: this check runs only npm`);
  report(`running ${text}`);
  execFileSync('bash', ['-euc', text], {
    cwd: join(image.root, image.workdir),
    env: { ...process.env, ...image.env },
    // The compiler writes its errors to standard output.
    stdio: ['ignore', 2, 'inherit'],
  });
}

function checkOfficeVersion(planned: readonly string[], series: string | undefined): void {
  if (series === undefined) return;
  const office = planned.find((line) => line.startsWith('libreoffice-writer-nogui ')) ?? 'no LibreOffice';
  if (!office.replace(/^\S+ (\d+:)?/, '').startsWith(`${series}.`))
    throw new Error(`the image needs LibreOffice ${series}, Debian has ${office}`);
}

function copyFolder(source: string, target: string): void {
  execFileSync('cp', ['-a', `${source}/.`, target]);
}

function isFolder(path: string): boolean {
  return statSync(path).isDirectory();
}

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import dockerignore from '@balena/dockerignore';
import { DockerfileParser, type ModifiableInstruction } from 'dockerfile-ast';

export interface Step {
  readonly keyword: string;
  /** The arguments, on one line, without flags. */
  readonly text: string;
  /** Such as `--from=build`. */
  readonly flags: readonly string[];
}

export interface Stage {
  readonly name: string;
  /** A stage, or an image with the defaults of the arguments. */
  readonly from: string;
  readonly steps: readonly Step[];
}

/** The stages of the Dockerfile, in order. */
export function readStages(): readonly Stage[] {
  const stages: { name: string; from: string; steps: Step[] }[] = [];
  for (const instruction of DockerfileParser.parse(readFileSync('Dockerfile', 'utf8')).getInstructions()) {
    const keyword = instruction.getKeyword();
    if (keyword === 'FROM') {
      const [from = '', , name = ''] = instruction.getExpandedArguments().map((word) => word.getValue());
      stages.push({ name, from, steps: [] });
      continue;
    }
    const text = instruction.getArguments().map((word) => word.getValue());
    const flags = 'getFlags' in instruction ? (instruction as ModifiableInstruction).getFlags().map(String) : [];
    stages.at(-1)?.steps.push({ keyword, text: text.join(' '), flags });
  }
  return stages;
}

/** Of these files, those that Docker sends to the build: `.dockerignore` does not exclude them. */
export function inBuildContext(files: readonly string[]): readonly string[] {
  return dockerignore
    .default()
    .add(readFileSync('.dockerignore', 'utf8'))
    .filter([...files]);
}

/** The files of this project that Docker sends to the build from a clean checkout. */
export function buildContext(): readonly string[] {
  const words = ['ls-files', '--cached', '--others', '--exclude-standard'];
  return inBuildContext(execFileSync('git', words, { encoding: 'utf8' }).trim().split('\n')).filter((file) =>
    existsSync(file),
  );
}

/** What a stage copies from the build context. */
export function copiedPaths({ steps }: Stage): readonly string[] {
  return steps
    .filter(({ keyword, flags }) => keyword === 'COPY' && !flags.some((flag) => flag.startsWith('--from=')))
    .flatMap(({ text }) => text.split(' ').slice(0, -1));
}

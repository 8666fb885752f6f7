import { readFileSync } from 'node:fs';
import { extname } from 'node:path';

export interface UnregisteredUse {
  readonly file: string;
  readonly line: number;
  readonly command: string;
}

/** Names of ours in public registries, such as `docmill`: add one only after it is registered. */
const registered: ReadonlySet<string> = new Set();

const texts = new Set([
  '',
  '.md',
  '.txt',
  '.yaml',
  '.yml',
  '.json',
  '.toml',
  '.bru',
  '.html',
  '.ts',
  '.tsx',
  '.mjs',
  '.py',
  '.sh',
]);
/** What nobody is shown or given: tests install from a registry of their own. */
const exempt = /^(test\/|tools\/checks\/unregistered-names\.ts$|package-lock\.json$|CHANGELOG\.md$)/;

/** Programs that download what they are given the name of, with the words behind them. */
const downloads = new RegExp(
  `\\b(?:${[
    'npx|bunx|pnpx|uvx',
    '(?:npm|pnpm|yarn|bun) (?:i|install|add|exec|x|dlx)',
    '(?:deno|uv|poetry) add',
    'pip3? install|uv pip install|uv tool (?:install|run)|pipx (?:install|run)',
    'docker pull',
  ].join('|')})\\b(?<words>[^\`'"|;&()#\\n]*)`,
  'g',
);
/** `docmill`, `@docmill/client`, `docmill-api` or `docmill/api`, also with a version. A path or the file of a package is none. */
const ours = /^(?:npm:)?(?<name>@?docmill(?:[/-][a-z]+)*)(?:\[[^\]]*\])?(?:[@:=~<>].*)?[.,:]?$/;
const withVersion = /(?<![\w./@-])@?docmill(?:[/-][a-z]+)*@\d+\.\d+\.\d+(?![.\d])/g;
/** Nobody can move a commit to other code, and there may be no such tag. */
const actionTag = /\S*clients\/action@v?\d+(?:\.\d+)*(?![\w.])/g;

/** Commands in files that are shipped or documented, which would download a name of ours that anybody can register. */
export function findUnregisteredNames(files: readonly string[]): readonly UnregisteredUse[] {
  return files
    .filter((file) => !exempt.test(file) && texts.has(extname(file)))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((text, index) => commandsIn(text).map((command) => ({ file, line: index + 1, command }))),
    );
}

function commandsIn(text: string): readonly string[] {
  const commands = [...text.matchAll(downloads)].filter(({ groups }) => isDownload(groups?.words ?? ''));
  return [...commands, ...text.matchAll(withVersion), ...text.matchAll(actionTag)].map(([found]) => found.trim());
}

function isDownload(text: string): boolean {
  const words = text.trim().split(/\s+/);
  // With --no, npx runs what is installed and downloads nothing.
  if (words.includes('--no')) return false;
  return words.some((word, index) => {
    const name = ours.exec(word)?.groups?.name;
    const isWorkspace = /^(-w|--workspace)$/.test(words[index - 1] ?? '');
    return name !== undefined && !isWorkspace && !registered.has(name);
  });
}

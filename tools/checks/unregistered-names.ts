import { readFileSync } from 'node:fs';
import { extname } from 'node:path';

export interface UnregisteredUse {
  readonly file: string;
  readonly line: number;
  readonly command: string;
}

/** Our names in public registries, such as `docmill`. Add one only after it is registered. */
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
/** Files that are neither shipped nor documented; tests install from their own registry. */
const exempt = /^(test\/|tools\/checks\/unregistered-names\.ts$|package-lock\.json$|CHANGELOG\.md$)/;

/** Programs that download a package by name, with their subcommands. */
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
/**
 * Matches `docmill`, `@docmill/client`, `docmill-api` or `docmill/api`, optionally with a version, but neither a path
 * nor a package file.
 */
const ours = /^(?:npm:)?(?<name>@?docmill(?:[/-][a-z]+)*)(?:\[[^\]]*\])?(?:[@:=~<>].*)?[.,:]?$/;
const withVersion = /(?<![\w./@-])@?docmill(?:[/-][a-z]+)*@\d+\.\d+\.\d+(?![.\d])/g;
/** A tag can be moved to other code, and this one may not exist. A commit cannot be moved. */
const actionTag = /\S*clients\/action@v?\d+(?:\.\d+)*(?![\w.])/g;

/** Finds commands in shipped or documented files that would download one of our names, which anybody could register. */
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
  // With --no, npx runs only installed packages.
  if (words.includes('--no')) return false;
  return words.some((word, index) => {
    const name = ours.exec(word)?.groups?.name;
    const isWorkspace = /^(-w|--workspace)$/.test(words[index - 1] ?? '');
    return name !== undefined && !isWorkspace && !registered.has(name);
  });
}

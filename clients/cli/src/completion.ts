import type { CommandUnknownOpts } from '@commander-js/extra-typings';

export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export function isShell(text: string): text is Shell {
  return (shells as readonly string[]).includes(text);
}

interface Level {
  /** Names of the parent commands, such as `templates pull`; empty for the program. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly description: string }[];
}

/** A completion script generated from the program's commands and options. It starts no process during completion. */
export function writeCompletion(program: CommandUnknownOpts, shell: Shell): string {
  const levels = levelsOf(program, [], optionWords(program));
  if (shell === 'fish') return fishScript(levels);
  return shell === 'bash' ? bashScript(levels) : zshScript(levels);
}

function levelsOf(command: CommandUnknownOpts, path: readonly string[], common: Level['words']): readonly Level[] {
  const children = command.commands.map((child) => ({ word: child.name(), description: child.description() }));
  const own = path.length === 0 ? [] : optionWords(command);
  return [
    { path: path.join(' '), words: [...children, ...own, ...common] },
    ...command.commands.flatMap((child) => levelsOf(child, [...path, child.name()], common)),
  ];
}

function optionWords(command: CommandUnknownOpts): Level['words'] {
  return command.options.flatMap(({ long, description }) =>
    typeof long === 'string' ? [{ word: long, description }] : [],
  );
}

/** Finds the deepest command among the words before the cursor; a shell function for bash and zsh. */
const findPath = (words: string, paths: string) => `  local at="" word
  for word in ${words}; do
    case "\${at:+$at }$word" in
${paths}
    esac
  done`;

function pathCases(levels: readonly Level[]): string {
  const paths = levels.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  return `      ${paths.join('|')}) at="\${at:+$at }$word" ;;`;
}

function bashScript(levels: readonly Level[]): string {
  const cases = levels.map(({ path, words }) => `    ${quote(path)}) words=${quote(joinWords(words))} ;;`);
  return `# bash completion of docmill
_docmill() {
  local words=""
${findPath(`"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`, pathCases(levels))}
  case "$at" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _docmill docmill
`;
}

function zshScript(levels: readonly Level[]): string {
  const cases = levels.map(({ path, words }) => {
    const entries = words.map(({ word, description }) => quote(`${word}:${description.replaceAll(':', ' ')}`));
    return `    ${quote(path)}) entries=(${entries.join(' ')}) ;;`;
  });
  return `#compdef docmill
_docmill() {
  local -a entries
${findPath(`"\${(@)words[2,CURRENT-1]}"`, pathCases(levels))}
  case "$at" in
${cases.join('\n')}
  esac
  _describe 'docmill' entries || _files
}
compdef _docmill docmill
`;
}

function fishScript(levels: readonly Level[]): string {
  const lines = levels.flatMap(({ path, words }) => {
    const condition =
      path === ''
        ? '__fish_use_subcommand'
        : path
            .split(' ')
            .map((name) => `__fish_seen_subcommand_from ${name}`)
            .join('; and ');
    return words.map(({ word, description }) => {
      const option = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c docmill -n ${quote(condition)} ${option} -d ${quote(description)}`;
    });
  });
  return `# fish completion of docmill\n${lines.join('\n')}\n`;
}

function joinWords(words: Level['words']): string {
  return words.map(({ word }) => word).join(' ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

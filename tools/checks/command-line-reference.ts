import { stderr, stdin, stdout } from 'node:process';
import { exitCodeMeanings } from '../../clients/cli/src/exit-codes.ts';
import { createProgram } from '../../clients/cli/src/program.ts';

type Command = ReturnType<typeof createProgram>;
type Argument = Command['registeredArguments'][number];
type Option = Command['options'][number];

/** The reference of all commands as Markdown, generated from their help texts. */
export function writeCommandLineReference(): string {
  const { signal } = new AbortController();
  const program = createProgram({ env: {}, stdin, stdout, stderr, signal, setExitCode: () => undefined });
  const blocks = [
    '# Command line: every command',
    '<!-- written by npm run generate from the commands in clients/cli/src -->',
    'The [guide](../guides/command-line.md) shows how to use them. `docmill help <command>` prints the same text.',
    '## Options of all commands',
    optionTable(program.options),
    '## Exit codes',
    table(
      ['code', 'meaning'],
      exitCodeMeanings.map(([code, meaning]) => [String(code), meaning]),
    ),
    ...program.commands.filter(isListed).flatMap((command) => describeCommand(command, [program.name()], 2)),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** Leaves out the help command that every group has. */
const isListed = (command: Command): boolean => command.name() !== 'help';

function describeCommand(command: Command, above: readonly string[], level: number): readonly string[] {
  const path = [...above, command.name()];
  const args = command.registeredArguments.map(writeArgument);
  const usage = [...path, ...args, ...(command.options.length > 0 ? ['[options]'] : [])].join(' ');
  const described = command.registeredArguments.filter(({ description }) => description !== '');
  const rows = described.map((argument) => [`\`${writeArgument(argument)}\``, describeChoices(argument)]);
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
  return [
    `${'#'.repeat(level)} ${path.join(' ')}`,
    sentence(command.description()),
    ...(isGroup ? [] : [`\`\`\`text\n${usage}\n\`\`\``]),
    ...(rows.length > 0 ? [table(['argument', ''], rows)] : []),
    ...(command.options.length > 0 ? [optionTable(command.options)] : []),
    ...command.commands.filter(isListed).flatMap((child) => describeCommand(child, path, level + 1)),
  ];
}

function writeArgument(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
}

function optionTable(options: readonly Option[]): string {
  return table(
    ['option', ''],
    options.map((option) => [`\`${option.flags}\``, describeChoices(option)]),
  );
}

function describeChoices({ description, argChoices, defaultValue }: Option | Argument): string {
  const choices = argChoices === undefined ? '' : `: ${argChoices.map((choice) => `\`${choice}\``).join(', ')}`;
  const standard =
    typeof defaultValue === 'string' || typeof defaultValue === 'number' ? ` (default: \`${defaultValue}\`)` : '';
  return description + choices + standard;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

import { parseArgs } from 'node:util';
import type { Database, Transaction } from '../shared/db/client.ts';

export class UsageError extends Error {}

/** Not a failure: the message is the help text. */
export class HelpRequested extends Error {}

/** The dependencies of commands. The database is opened only by a command that needs it. */
export interface AdminDeps {
  readonly db: Database;
  readonly databaseUrl: string;
}

export interface OptionRule {
  readonly isRequired: boolean;
  /** A placeholder for the value; undefined for an option without a value. */
  readonly hint: string | undefined;
}

export const required = (hint: string): OptionRule => ({ isRequired: true, hint });
/** An option without a value. */
export const flag = { isRequired: false, hint: undefined };
export const optional = (hint: string): OptionRule => ({ isRequired: false, hint });

interface Described {
  readonly summary: string;
  readonly options: Readonly<Record<string, OptionRule>>;
  /** The exit code for a result. Default: 0. */
  readonly exitCodeOf?: (result: object, options: Options) => number;
  /** The text to show on a terminal; undefined for the default format of names, values and tables. */
  readonly textOf?: (result: object) => string | undefined;
  /** The exit code when the command fails. Default: 1. */
  readonly failureExitCode?: number;
}

/** A command that changes something in one transaction, which also writes its audit entry. */
interface Act extends Described {
  /** Validates the options before anything is changed, and returns the change. */
  readonly act: (options: Options) => (tx: Transaction) => Promise<object>;
}

/** A command that changes something in several steps. The audit log records its start and end. */
interface Process extends Described {
  /** Validates the options before anything is changed, and returns the work. */
  readonly steps: (options: Options) => (deps: AdminDeps) => Promise<object>;
}

/** A command that only reads, or that is recorded after it has ended. */
export interface Task extends Described {
  readonly run: (deps: AdminDeps, options: Options) => Promise<object>;
  readonly isRecorded?: (options: Options) => boolean;
}

export type Command = Act | Process | Task;

/** A parsed command line: the command with its name and options. */
export interface ParsedCommand {
  readonly name: string;
  readonly command: Command;
  readonly options: Options;
  /** The operator's name, as given by the operator. */
  readonly actor: string | undefined;
  readonly isJson: boolean;
}

/** Commands by name. */
export type Commands = Readonly<Record<string, Command>>;

/** Option values by name. An option without a value has an empty string. */
export type Options = ReadonlyMap<string, string>;

export function parseCommand(commands: Commands, args: readonly string[]): ParsedCommand {
  const [name = '', ...rest] = args;
  if (name === '--help') throw new HelpRequested(helpOf(commands));
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    throw new UsageError(
      `${name === '' ? 'A command is missing' : `There is no command ${JSON.stringify(name)}`}. Usage: admin <command> --json; commands: ${Object.keys(commands).join(', ')}`,
    );
  const known = Object.entries(command.options);
  const usage = `Usage: admin ${name} ${known.map(([option, rule]) => describe(option, rule)).join(' ')} --json`;
  if (rest.includes('--help')) throw new HelpRequested(`${command.summary}.\n${usage}`);
  const { values, actor } = parseValues(known, rest, usage);
  for (const [option, rule] of known) {
    if (rule.isRequired && !values.has(option)) throw new UsageError(`--${option} is missing. ${usage}`);
  }
  return { name, command, options: values, actor, isJson: rest.includes('--json') };
}

function helpOf(commands: Commands): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return ['Usage: admin <command> --json; admin <command> --help shows its options', ...lines].join('\n');
}

function parseValues(
  known: readonly (readonly [string, OptionRule])[],
  args: readonly string[],
  usage: string,
): { readonly values: Options; readonly actor: string | undefined } {
  try {
    const typeOf = ({ hint }: OptionRule): 'string' | 'boolean' => (hint === undefined ? 'boolean' : 'string');
    const options = Object.fromEntries(known.map(([name, rule]) => [name, { type: typeOf(rule) }]));
    const parsed = {
      args: [...args],
      options: { ...options, json: { type: 'boolean' as const }, actor: { type: 'string' as const } },
      tokens: true,
    } as const;
    const { values, tokens } = parseArgs(parsed);
    const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    const repeated = given.find((name, index) => given.indexOf(name) !== index);
    if (repeated !== undefined) throw new Error(`Option '--${repeated}' is given twice`);
    const isGiven = ([name, value]: [string, unknown]): boolean =>
      value !== undefined && name !== 'json' && name !== 'actor';
    const own = Object.entries(values)
      .filter(isGiven)
      .map(([name, value]) => [name, typeof value === 'string' ? value : ''] as const);
    return { values: new Map(own), actor: typeof values.actor === 'string' ? values.actor : undefined };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : 'Unknown option'}. ${usage}`);
  }
}

function describe(option: string, rule: OptionRule): string {
  const text = rule.hint === undefined ? `--${option}` : `--${option} ${rule.hint}`;
  return rule.isRequired ? text : `[${text}]`;
}

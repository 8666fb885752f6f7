import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import { Docmill } from '@docmill/client';
import type { Cli } from './cli.ts';
import { commands } from './commands.ts';
import { exitCodeMeanings } from './exit-codes.ts';
import { createOutput } from './output.ts';
import { packageVersion } from './package-version.ts';
import { resolveProfile } from './profile.ts';

/**
 * Creates the whole command line. Nothing runs before `parseAsync`. With `isSilent` the parser prints no errors of its
 * own; it throws them in any case.
 */
export function createProgram(surroundings: Omit<Cli, 'start'>, isSilent = false): CommandUnknownOpts {
  const { env, stdout, stderr } = surroundings;
  const program: CommandUnknownOpts = new Command('docmill')
    .description('Templates and documents of a Docmill service, from the command line.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .option('--json', 'print the result as JSON on standard output, and errors as JSON on standard error')
    .option('-q, --quiet', 'print no messages but warnings and errors')
    .option('--profile <name>', 'use a stored profile; wins over DOCMILL_URL, DOCMILL_API_KEY and DOCMILL_API_KEY_FILE')
    .helpOption('-h, --help', 'print help')
    .addHelpText(
      'after',
      `\nExit codes:\n${exitCodeMeanings.map(([code, text]) => `  ${String(code).padEnd(4)} ${text}`).join('\n')}`,
    )
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help for help)')
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => isSilent || stderr.write(text) })
    .exitOverride();
  const cli: Cli = {
    ...surroundings,
    start(command) {
      const { json, quiet, profile } = command.optsWithGlobals() as {
        readonly json?: true;
        readonly quiet?: true;
        readonly profile?: string;
      };
      const output = createOutput({ stdout, stderr, env, isJson: json === true, isQuiet: quiet === true });
      return {
        output,
        profileName: profile,
        connect(profileName = profile) {
          const resolved = resolveProfile(env, profileName);
          const docmill = new Docmill({ baseUrl: resolved.url, apiKey: resolved.apiKey });
          return { profile: resolved, docmill };
        },
      };
    },
  };
  for (const define of commands) program.addCommand(inherit(program, define(cli)));
  addHelpCommands(program);
  return program;
}

/** Replaces the library's help command, which prints the whole help for an unknown word, and reads only one word. */
function addHelpCommands(parent: CommandUnknownOpts): void {
  if (parent.commands.length === 0) return;
  for (const child of parent.commands) addHelpCommands(child);
  const help = new Command('help')
    .description('print help for a command')
    .argument('[command...]')
    .action(async (words) => {
      let command = parent;
      for (const word of words) {
        const child = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
        // The parser reports an unknown subcommand with a suggestion, but would run a command that takes arguments.
        if (child === undefined && command.commands.length > 0) await command.parseAsync([word], { from: 'user' });
        if (child === undefined) command.error(`error: '${pathOf(command)}' has no command '${word}'`);
        else command = child;
      }
      command.help();
    });
  parent.helpCommand(false).addCommand(inherit(parent, help), { hidden: parent.parent !== null });
}

const pathOf = (command: CommandUnknownOpts): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

/** Added commands do not inherit the settings of their parent, unlike those created by it. */
function inherit(parent: CommandUnknownOpts, command: CommandUnknownOpts): CommandUnknownOpts {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(command, child);
  return command;
}

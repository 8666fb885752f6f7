import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import { ApiError, Docmill } from '@docmill/client';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { parseApiKey, parseServiceUrl, profilePath, readProfiles, writeProfiles } from '../profile.ts';
import { askLine, askSecret } from '../prompt.ts';

const maxKeyBytes = 4_096;

export function loginCommand(cli: Cli): CommandUnknownOpts {
  return new Command('login')
    .description('check an API key and store it for this user')
    .option('--url <address>', 'address of the service; asked for when missing')
    .option('--key-stdin', 'read the key from standard input instead of asking for it')
    .option('--default', 'make the profile the default one; the first one is')
    .option('--dry-run', 'check the key and store nothing')
    .addHelpText(
      'after',
      `
The key is never an argument, because other users can read the arguments of a process.

Examples:
  docmill login
  docmill login --url https://docmill.example.com --key-stdin --profile production < key.txt`,
    )
    .action(async (options, command) => {
      const { output, profileName } = cli.start(command);
      const name = parseProfileName(profileName ?? 'default');
      const file = readProfiles(cli.env);
      if (options.keyStdin === true && options.url === undefined) {
        throw new CliError(
          exitCodes.usage,
          '--key-stdin needs --url.',
          'Standard input is the key, so nothing can be asked.',
        );
      }
      if (options.keyStdin !== true && cli.stdin.isTTY !== true) {
        throw new CliError(exitCodes.usage, 'There is no terminal to ask for the key.', 'Use --url and --key-stdin.');
      }
      const url = parseServiceUrl(options.url ?? (await askLine(cli, 'Address of the service: ')));
      const entered = options.keyStdin === true ? await readAll(cli.stdin) : await askSecret(cli, 'API key: ');
      const apiKey = parseApiKey(entered);
      if (isUnprotected(url)) output.warn(`${url} is not encrypted: others on the network can read the key.`);
      await checkKey(cli, url, apiKey);
      const isDefault = options.default === true || file.defaultProfile === '';
      if (options.dryRun !== true) {
        const defaultProfile = isDefault ? name : file.defaultProfile;
        writeProfiles(cli.env, { defaultProfile, profiles: { ...file.profiles, [name]: { url, apiKey } } });
      }
      const result = { profile: name, url, default: isDefault, stored: options.dryRun !== true };
      output.result(result, () => {
        const verb = options.dryRun === true ? 'The key is valid; nothing was stored for' : 'Stored';
        output.note(`${verb} the profile ${name} for ${url} in ${profilePath(cli.env)}.`);
      });
    });
}

function parseProfileName(name: string): string {
  if (/^[a-z0-9][a-z0-9_.-]{0,63}$/i.test(name)) return name;
  throw new CliError(
    exitCodes.usage,
    'The name of a profile may only contain letters, digits, dots, dashes and underscores.',
  );
}

function isUnprotected(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** A key that lacks the scope for quotas is still valid. */
async function checkKey({ signal }: Cli, url: string, apiKey: string): Promise<void> {
  try {
    await new Docmill({ baseUrl: url, apiKey }).account.quotas({ signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return;
    throw error;
  }
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > maxKeyBytes) throw new CliError(exitCodes.usage, 'Standard input is too long for a key.');
  }
  return text;
}

import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { hasOwn } from '../json-value.ts';
import { readProfiles, writeProfiles } from '../profile.ts';

export function logoutCommand(cli: Cli): CommandUnknownOpts {
  return new Command('logout')
    .description('delete the key of a profile from this machine')
    .option('--all', 'delete all profiles')
    .option('--dry-run', 'print what would be deleted')
    .action((options, command) => {
      const { output, profileName } = cli.start(command);
      const { defaultProfile, profiles } = readProfiles(cli.env);
      const name = profileName ?? defaultProfile;
      const isKnown = hasOwn(profiles, name);
      if (options.all !== true && profileName !== undefined && !isKnown) {
        throw new CliError(exitCodes.usage, `There is no profile ${JSON.stringify(name)}.`);
      }
      const deleted = options.all === true ? Object.keys(profiles) : isKnown ? [name] : [];
      const kept = Object.entries(profiles).filter(([key]) => !deleted.includes(key));
      if (options.dryRun !== true && deleted.length > 0) {
        const next = deleted.includes(defaultProfile) ? (kept[0]?.[0] ?? '') : defaultProfile;
        writeProfiles(cli.env, { defaultProfile: next, profiles: Object.fromEntries(kept) });
      }
      const isDryRun = options.dryRun === true;
      output.result({ deleted, dryRun: isDryRun }, () => {
        if (deleted.length === 0) output.note('There is no profile to delete.');
        for (const one of deleted) output.note(`${isDryRun ? 'Would delete' : 'Deleted'} the profile ${one}.`);
      });
      if (deleted.length > 0 && !isDryRun) output.note('The key itself stays valid until it is revoked.');
    });
}

import { accountCommands } from './commands/accounts.ts';
import { databaseCommands } from './commands/database.ts';
import { keyCommands } from './commands/keys.ts';
import { quarantineCommands } from './commands/quarantine.ts';
import { quotaCommands } from './commands/quotas.ts';
import { templateCommands } from './commands/templates.ts';
import { doctorCommand } from './doctor.ts';
import { engineCheckCommand } from './engine-check/command.ts';
import type { Commands } from './parse-command.ts';
import { verifyReceiptCommand } from './verify-receipt.ts';

/** The operator's commands, in the order of the help text. Each returns one JSON object. */
export const commands: Commands = {
  ...databaseCommands,
  doctor: doctorCommand,
  ...accountCommands,
  ...keyCommands,
  ...quotaCommands,
  ...quarantineCommands,
  ...templateCommands,
  'engine-check': engineCheckCommand,
  'verify-receipt': verifyReceiptCommand,
};

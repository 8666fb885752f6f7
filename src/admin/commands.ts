import { capacityCommand } from './capacity/command.ts';
import { accountCommands } from './commands/accounts.ts';
import { auditCommands } from './commands/audit.ts';
import { backupCommands } from './commands/backup.ts';
import { databaseCommands } from './commands/database.ts';
import { deliveryCommands } from './commands/deliveries.ts';
import { eraseCommands } from './commands/erase.ts';
import { keyCommands } from './commands/keys.ts';
import { operationCommands } from './commands/operations.ts';
import { operatorKeyCommands } from './commands/operator-keys.ts';
import { quarantineCommands } from './commands/quarantine.ts';
import { queueCommands } from './commands/queues.ts';
import { quotaCommands } from './commands/quotas.ts';
import { retryCommands } from './commands/retry.ts';
import { storageCommands } from './commands/storage.ts';
import { templateCommands } from './commands/templates.ts';
import { usageCommands } from './commands/usage.ts';
import { webhookCommands } from './commands/webhooks.ts';
import { doctorCommand } from './doctor/command.ts';
import { engineCheckCommand } from './engine-check/command.ts';
import type { Commands } from './parse-command.ts';
import { verifyReceiptCommand } from './verify-receipt.ts';

/** The operator's commands, in the order of the help text. Each returns one JSON object. */
export const commands: Commands = {
  ...databaseCommands,
  ...backupCommands,
  ...storageCommands,
  doctor: doctorCommand,
  ...accountCommands,
  ...keyCommands,
  ...quotaCommands,
  ...operationCommands,
  ...queueCommands,
  ...usageCommands,
  ...deliveryCommands,
  ...retryCommands,
  ...quarantineCommands,
  ...templateCommands,
  ...eraseCommands,
  ...auditCommands,
  ...webhookCommands,
  ...operatorKeyCommands,
  capacity: capacityCommand,
  'engine-check': engineCheckCommand,
  'verify-receipt': verifyReceiptCommand,
};

import type { DefineCommand } from './cli.ts';
import { batchCommand } from './commands/batch.ts';
import { completionCommand } from './commands/completion.ts';
import { deliveriesCommand } from './commands/deliveries.ts';
import { devCommand } from './commands/dev.ts';
import { dictionaryCommand } from './commands/dictionary.ts';
import { generateCommand } from './commands/generate.ts';
import { initCommand } from './commands/init.ts';
import { invoiceCommand } from './commands/invoice.ts';
import { jobsCommand } from './commands/jobs.ts';
import { listenCommand } from './commands/listen.ts';
import { loginCommand } from './commands/login.ts';
import { logoutCommand } from './commands/logout.ts';
import { mcpCommand } from './commands/mcp.ts';
import { migrateCommand } from './commands/migrate.ts';
import { openCommand } from './commands/open.ts';
import { reproduceCommand } from './commands/reproduce.ts';
import { templatesCommand } from './commands/templates.ts';
import { testCommand } from './commands/test.ts';
import { typesCommand } from './commands/types.ts';
import { usageCommand } from './commands/usage.ts';
import { webhooksCommand } from './commands/webhooks.ts';
import { whoamiCommand } from './commands/whoami.ts';

/** Every command, in the order of the help text and of the reference. */
export const commands: readonly DefineCommand[] = [
  loginCommand,
  logoutCommand,
  whoamiCommand,
  initCommand,
  templatesCommand,
  dictionaryCommand,
  generateCommand,
  batchCommand,
  jobsCommand,
  invoiceCommand,
  deliveriesCommand,
  webhooksCommand,
  listenCommand,
  reproduceCommand,
  usageCommand,
  openCommand,
  typesCommand,
  testCommand,
  devCommand,
  migrateCommand,
  mcpCommand,
  completionCommand,
];

import type { DefineCommand } from './cli.ts';
import { completionCommand } from './commands/completion.ts';
import { loginCommand } from './commands/login.ts';
import { logoutCommand } from './commands/logout.ts';
import { testCommand } from './commands/test.ts';
import { whoamiCommand } from './commands/whoami.ts';

/** Every command, in the order of the help text and of the reference. */
export const commands: readonly DefineCommand[] = [
  loginCommand,
  logoutCommand,
  whoamiCommand,
  testCommand,
  completionCommand,
];

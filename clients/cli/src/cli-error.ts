import type { ExitCode } from './exit-codes.ts';

/**
 * An error detected by the program itself. The message says what is wrong, `hint` what to do. Neither contains a
 * secret.
 */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(exitCode: ExitCode, message: string, hint?: string) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

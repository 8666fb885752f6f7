import type { ExitCode } from './exit-codes.ts';

/** A problem of the program itself. The message says what is wrong; `hint` says what to do. Neither contains a secret. */
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

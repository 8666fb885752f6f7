import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Docmill } from '@docmill/client';
import type { ExitCode } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { ResolvedProfile } from './profile.ts';

/** The process environment that every command receives; injected so that tests can replace it. */
export interface Cli {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** Sets the exit code of a run that ends without an error. Default: 0. */
  setExitCode(code: ExitCode): void;
  /** The context of one run of a command, with the options shared by all commands. */
  start(command: CommandUnknownOpts): Run;
}

export interface Run {
  readonly output: Output;
  /** The value of `--profile`. */
  readonly profileName: string | undefined;
  /** Connects to the service of this run, or of the named profile. Throws if there is no key. */
  connect(profileName?: string): Service;
}

export interface Service {
  readonly profile: ResolvedProfile;
  readonly docmill: Docmill;
}

/** Defines one command. `commands.ts` lists them. */
export type DefineCommand = (cli: Cli) => CommandUnknownOpts;

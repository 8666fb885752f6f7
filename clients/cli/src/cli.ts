import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Docmill } from '@docmill/client';
import type { ExitCode } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { ResolvedProfile } from './profile.ts';

/** What every command gets: the surroundings of the process, passed in so that tests can replace them. */
export interface Cli {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** The exit code of a run that ends without an error. Default: 0. */
  setExitCode(code: ExitCode): void;
  /** The surroundings of one run of a command, with the options that all commands have. */
  start(command: CommandUnknownOpts): Run;
}

export interface Run {
  readonly output: Output;
  /** The value of `--profile`. */
  readonly profileName: string | undefined;
  /** The service of the run, or of the profile with this name. Throws when there is no key. */
  connect(profileName?: string): Service;
}

export interface Service {
  readonly profile: ResolvedProfile;
  readonly docmill: Docmill;
}

/** Defines one command. `commands.ts` lists them. */
export type DefineCommand = (cli: Cli) => CommandUnknownOpts;

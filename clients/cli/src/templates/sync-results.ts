import { ApiError } from '@docmill/client';
import type { Cli } from '../cli.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import { isSchemaBreak } from '../test/deployed-templates.ts';

/** The action taken for a template, or planned with `--dry-run`. */
export interface SyncResult {
  readonly file: string;
  readonly action: Action;
  readonly id: string | null;
  readonly version: number | null;
  /** The reason, and what to do. */
  readonly message?: string;
  readonly warnings?: readonly string[];
}

const actions = {
  created: exitCodes.ok,
  uploaded: exitCodes.ok,
  downloaded: exitCodes.ok,
  unchanged: exitCodes.ok,
  kept: exitCodes.ok,
  conflict: exitCodes.conflict,
  failed: exitCodes.failed,
} as const satisfies Readonly<Record<string, ExitCode>>;

export type Action = keyof typeof actions;

export const changedMeanwhile = 'it was changed in the service just now; run the command again';

/** Why a version is refused whose warnings report changes that break the data of clients; undefined if none do. */
export function refusalOf(
  warnings: readonly { readonly code: string; readonly message: string }[],
): Pick<SyncResult, 'action' | 'message'> | undefined {
  const breaks = warnings.filter(isSchemaBreak).map(({ message }) => message);
  if (breaks.length === 0) return undefined;
  const refused = 'it breaks the data of clients; --allow-breaking uploads it all the same';
  return { action: 'failed', message: [refused, ...breaks].join('\n- ') };
}

/** Describes the error of a single template, which does not end the run. Undefined for all other errors. */
export function describeFault(error: unknown): Pick<SyncResult, 'action' | 'message'> | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { status, message, details } = error;
  if (status === 412) return { action: 'conflict', message: changedMeanwhile };
  if (status !== 400 && status !== 413) return undefined;
  return { action: 'failed', message: [message, ...details.map((detail) => `- ${detail.message}`)].join('\n') };
}

/** Prints the results. A conflict determines the exit code, or else a failure. */
export function reportSync(cli: Cli, output: Output, results: readonly SyncResult[], isDryRun: boolean): void {
  const verb = isDryRun ? 'WOULD BE' : 'ACTION';
  output.result({ dryRun: isDryRun, templates: results }, () => {
    if (results.length === 0) return output.note('There are no templates.');
    output.table(
      ['FILE', verb, 'VERSION', 'ID'],
      results.map(({ file, action, version, id }) => [file, action, version, id]),
    );
  });
  for (const { file, action, message, warnings = [] } of results) {
    if (output.isJson) break;
    if (message !== undefined) {
      if (actions[action] === exitCodes.ok) output.note(`${file}: ${message}`);
      else output.warn(`${file}: ${message}`);
    }
    for (const warning of warnings) output.warn(`${file}: ${warning}`);
  }
  const codes = results.map(({ action }): ExitCode => actions[action]);
  const exitCode = [exitCodes.conflict, exitCodes.failed].find((code) => codes.includes(code));
  if (exitCode !== undefined) cli.setExitCode(exitCode);
}

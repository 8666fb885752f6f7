import { runProgram } from '../../../../clients/cli/src/run-program.ts';
import { type ProgramRun, startProgram } from '../../../support/client/run-program.ts';

/** Runs the command line's source in this process. */
export const runInProcess = (
  line: string | readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramRun> => startProgram(runProgram, line, { env }).ended;

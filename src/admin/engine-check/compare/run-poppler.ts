import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const timeoutMs = 120_000;
const maxOutputBytes = 128 * 1024 * 1024;

/** Thrown when a Poppler program is missing, or could not read a PDF in time. */
export class PopplerError extends Error {}

/** Runs a program of poppler-utils and returns its output. Throws `PopplerError`. */
export async function runPoppler(
  program: 'pdftotext' | 'pdffonts' | 'pdftoppm',
  args: readonly string[],
): Promise<string> {
  try {
    const { stdout } = await run(program, [...args], {
      timeout: timeoutMs,
      maxBuffer: maxOutputBytes,
      killSignal: 'SIGKILL',
    });
    return stdout;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new PopplerError(`${program} was not found. Install it with: apt-get install -y poppler-utils`);
    }
    throw new PopplerError(`${program} could not read the PDF`, { cause: error });
  }
}

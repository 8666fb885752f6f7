import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { isRecord } from './json-value.ts';

/** The service's limit for one request. */
const maxDataBytes = 10 * 1024 * 1024;

/** The JSON object in a file, or on standard input for `-`. Throws `usage` with the position of a syntax error. */
export async function readJsonObject(file: string, stdin: Readable): Promise<Record<string, unknown>> {
  const source = file === '-' ? 'Standard input' : file;
  const text = (file === '-' ? await readStream(stdin) : await readLimited(file)).replace(/^\ufeff/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new CliError(exitCodes.usage, `${source} is not valid JSON: ${problem}`);
  }
  if (isRecord(value)) return value;
  throw new CliError(exitCodes.usage, `${source} is not a JSON object.`, 'Write {"name": "value"}.');
}

async function readLimited(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > maxDataBytes) throw tooLong(file);
  return await readFile(file, 'utf8');
}

async function readStream(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > maxDataBytes) throw tooLong('Standard input');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLong(source: string): CliError {
  return new CliError(exitCodes.usage, `${source} is longer than ${maxDataBytes / 1024 / 1024} MB.`);
}

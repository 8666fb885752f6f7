import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { isRecord } from '../json-value.ts';
import type { SharedFolder } from './open-folder.ts';

const record = z.record(z.string(), z.unknown());

/** Fields shared by several tools. Objects are strict: no field accepts an address, an e-mail or a password. */
export const template = z.string().min(1).max(300).describe('Name or id of a template, as list_templates returns it.');
export const version = z
  .int()
  .min(1)
  .max(2_000_000_000)
  .optional()
  .describe('Version of the template. Default: the current one.');
export const data = record.optional().describe('The data, as template_schema describes it. Or give dataFile.');
export const dataFile = z
  .string()
  .max(1000)
  .optional()
  .describe('Path of a JSON file in the shared folder with the data, instead of data.');
export const locale = z.string().max(100).optional().describe('Language of numbers and dates, such as de-CH.');
export const timezone = z.string().max(100).optional().describe('Time zone of dates, such as Europe/Zurich.');

/**
 * The data of a call, or of its file. Throws `usage` if both or neither are given, or if the file is not a JSON object.
 */
export async function readData(
  input: { readonly data?: Record<string, unknown> | undefined; readonly dataFile?: string | undefined },
  folder: SharedFolder | undefined,
): Promise<Record<string, unknown>> {
  if ((input.data === undefined) === (input.dataFile === undefined))
    throw new CliError(exitCodes.usage, 'Give either data or dataFile.');
  if (input.data !== undefined) return input.data;
  const value = parseJson(await requireFolder(folder).readText(input.dataFile ?? ''));
  if (isRecord(value)) return value;
  throw new CliError(exitCodes.usage, 'The file is not a JSON object.', 'Write {"name": "value"}.');
}

/** Throws `usage` if the server was started without a folder. */
export function requireFolder(folder: SharedFolder | undefined): SharedFolder {
  if (folder !== undefined) return folder;
  throw new CliError(exitCodes.usage, 'No folder is shared.', 'Start docmill mcp with --folder <folder>.');
}

/** The error does not quote the text, which may come from any file. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(exitCodes.usage, 'The file is not valid JSON.');
  }
}

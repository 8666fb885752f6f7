import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { CliError } from '../cli-error.ts';
import { hasCode } from '../error-code.ts';
import { exitCodes } from '../exit-codes.ts';
import { toLocalName } from '../local-name.ts';

/** The service's limit. */
const maxTemplateBytes = 10 * 1024 * 1024;

export interface TemplateContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256, in hex. */
  readonly checksum: string;
}

/** The file name for a template with this name; every system can store it, and projects find it. */
export function toTemplateFile(name: string): string {
  return `${toLocalName(name.replace(/\.docx$/i, ''))}.docx`;
}

/**
 * Whether every system can store a file with this name, and projects find it. Accents have two encodings, depending on
 * the system.
 */
export function isTemplateFile(file: string): boolean {
  return toTemplateFile(file) === file.normalize('NFC');
}

/** Names that some system treats as the same file have the same key. */
export function fileKey(file: string): string {
  return file.normalize('NFC').toLowerCase();
}

export const checksumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * The content of a template file; undefined if there is none. Throws `usage` if it exceeds the service's size limit.
 */
export async function readTemplate(path: string): Promise<TemplateContent | undefined> {
  try {
    const { size } = await stat(path);
    if (size > maxTemplateBytes) {
      const problem = `${path} is longer than ${maxTemplateBytes / 1024 / 1024} MB.`;
      throw new CliError(exitCodes.usage, problem, 'Shrink its pictures, or move it to another folder.');
    }
    const bytes = Uint8Array.from(await readFile(path));
    return { bytes, checksum: checksumOf(bytes) };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** The file with the invoice mapping of a template: invoice.map.json beside invoice.docx. */
export const mapPathOf = (templatePath: string): string => templatePath.replace(/\.docx$/i, '.map.json');

/** The invoice mapping beside a template file; undefined if there is none. Throws `usage` if it is not a JSON object. */
export async function readInvoiceMap(templatePath: string): Promise<object | undefined> {
  const path = mapPathOf(templatePath);
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CliError(exitCodes.usage, `${path} is not a JSON object.`, 'It has an expression for each business term.');
}

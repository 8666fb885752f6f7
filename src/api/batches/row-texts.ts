import { hasOwn } from '../../shared/json.ts';
import type { BatchOptions } from './batch-request.ts';

/** The strings of a row that are filled with its own data. */
export interface RowTexts {
  readonly filename: string | undefined;
  readonly email:
    | {
        readonly to: readonly string[];
        readonly cc: readonly string[];
        readonly bcc: readonly string[];
        readonly subject: string | undefined;
      }
    | undefined;
}

export interface RowTextTemplate {
  /** True when the strings are the same for every row. */
  readonly isFixed: boolean;
  fill(data: unknown): RowTexts;
}

/** Compiles the file name, addresses and subject that `output` gives for all rows. */
export function compileRowTexts({ output }: BatchOptions): RowTextTemplate {
  const filename = output.filename === undefined ? undefined : compileText(output.filename, withoutSeparators);
  const compileAll = (texts: readonly string[] = []) => texts.map((text) => compileText(text));
  const to = compileAll(output.email?.to);
  const cc = compileAll(output.email?.cc);
  const bcc = compileAll(output.email?.bcc);
  const subject = output.email?.subject === undefined ? undefined : compileText(output.email.subject);
  const all = [filename, subject, ...to, ...cc, ...bcc];
  return {
    isFixed: all.every((text) => text === undefined || text.isFixed),
    fill: (data) => ({
      filename: filename?.fill(data),
      email:
        output.email === undefined
          ? undefined
          : {
              to: to.map((text) => text.fill(data)),
              cc: cc.map((text) => text.fill(data)),
              bcc: bcc.map((text) => text.fill(data)),
              subject: subject?.fill(data),
            },
    }),
  };
}

/** A string with placeholders for paths into a row: `invoice-{number}`, `{customer.email}`, `{items[0].name}`. */
interface TextTemplate {
  readonly isFixed: boolean;
  fill(data: unknown): string;
}

const placeholder = /\{([^{}]{1,200})\}/g;

/** A value such as `5/2026` would otherwise begin a folder, of which file names keep the last part only. */
const withoutSeparators = (value: string): string => value.replace(/[/\\]/g, '-');

/** Compiles a string. A path without a value, or to an object or list, prints nothing. */
function compileText(text: string, change = (value: string) => value): TextTemplate {
  const paths = [...text.matchAll(placeholder)].map(([, path = '']) => parsePath(path));
  return {
    isFixed: paths.length === 0,
    fill: (data) => {
      let next = 0;
      return text.replaceAll(placeholder, () => change(print(resolve(data, paths[next++] ?? []))));
    },
  };
}

function parsePath(path: string): readonly string[] {
  return path
    .trim()
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.');
}

function resolve(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const key of path) {
    if (!hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function print(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

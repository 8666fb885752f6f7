import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import Table from 'cli-table3';

/**
 * The destinations of a run's results and messages. Results go to standard output, everything else to standard error.
 */
export interface Output {
  readonly isJson: boolean;
  /** Whether a person reads the messages as they appear. */
  readonly isInteractive: boolean;
  /** The result of a command: one JSON document with `--json`, otherwise what `print` writes. */
  result(value: unknown, print: () => void): void;
  /** A table on standard output. */
  table(head: readonly string[], rows: readonly (readonly Cell[])[]): void;
  /** A line on standard output. */
  line(text: string): void;
  /** A message on standard error; not with `--quiet`. */
  note(text: string): void;
  /** A warning on standard error, also with `--quiet`. */
  warn(text: string): void;
}

export type Cell = string | number | undefined | null;

export interface OutputOptions {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
}

export function createOutput({ stdout, stderr, env, isJson, isQuiet }: OutputOptions): Output {
  const isPlain = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  const bold = (text: string) => (isPlain || stdout.isTTY !== true ? text : styleText('bold', text));
  const yellow = (text: string) => (isPlain || stderr.isTTY !== true ? text : styleText('yellow', text));
  return {
    isJson,
    isInteractive: stderr.isTTY === true && !isQuiet && env.TERM !== 'dumb',
    result(value, print) {
      if (isJson) stdout.write(`${JSON.stringify(value, null, 2)}\n`);
      else print();
    },
    table(head, rows) {
      stdout.write(`${formatTable(head.map(bold), rows)}\n`);
    },
    line(text) {
      stdout.write(`${printable(text)}\n`);
    },
    note(text) {
      if (!isQuiet) stderr.write(`${printable(text)}\n`);
    },
    warn(text) {
      stderr.write(`${yellow('Warning:')} ${printable(text)}\n`);
    },
  };
}

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

function formatTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const table = new Table({
    head: [...head],
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => row.map((cell) => printable(String(cell ?? '-')).replaceAll('\n', ' '))));
  return table.toString().replace(/ +$/gm, '');
}

/** Text from a service without the control characters that could move the cursor of a terminal or change its colours. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

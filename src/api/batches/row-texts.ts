import type { BatchOptions } from './batch-request.ts';
import { compileName } from './name-template.ts';

/** The texts of a row that come from its own data. */
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

export interface RowTextMaker {
  /** Are the texts the same for every row? */
  readonly isFixed: boolean;
  make(value: unknown): RowTexts;
}

/** Compiles what `output` says of all rows. */
export function createTextMaker({ output }: BatchOptions): RowTextMaker {
  const filename = output.filename === undefined ? undefined : compileName(output.filename);
  const compileAll = (texts: readonly string[] = []) => texts.map(compileName);
  const to = compileAll(output.email?.to);
  const cc = compileAll(output.email?.cc);
  const bcc = compileAll(output.email?.bcc);
  const subject = output.email?.subject === undefined ? undefined : compileName(output.email.subject);
  const all = [filename, subject, ...to, ...cc, ...bcc];
  return {
    isFixed: all.every((text) => text === undefined || text.isFixed),
    make: (value) => ({
      filename: filename?.fill(value),
      email:
        output.email === undefined
          ? undefined
          : {
              to: to.map((text) => text.fill(value)),
              cc: cc.map((text) => text.fill(value)),
              bcc: bcc.map((text) => text.fill(value)),
              subject: subject?.fill(value),
            },
    }),
  };
}

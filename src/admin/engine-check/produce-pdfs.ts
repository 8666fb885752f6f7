import { AppError } from '../../shared/errors.ts';
import type { DocxPool } from '../../worker/docx/sandbox/docx-pool.ts';
import type { OfficePool } from '../../worker/pdf/office/office-pool.ts';
import type { Case, Source } from './cases/case.ts';

/** The reason why there is no PDF. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

export interface Produced {
  readonly pdf: Uint8Array | undefined;
  readonly failure: Failure | undefined;
  readonly convertMs: number;
}

export interface FilledCase {
  readonly docx: Uint8Array;
  /**
   * The content that was laid out. An `unfilled` file has no valid tags; a file that the service refuses is laid out
   * `as it is`.
   */
  readonly content: 'filled' | 'example data' | 'unfilled' | 'as it is';
}

/** The date of all documents, so that results do not depend on the day of the check. */
const documentDate = '2026-01-15T12:00:00Z';
const localDate = '2026-01-15T12:00:00';

/**
 * Fills the template as the service does, with its own data or with example data. Throws `AppError` for data that does
 * not fit.
 */
export async function fillCase(docx: DocxPool, one: Case, source: Source): Promise<FilledCase> {
  const { template, syntax, accountId: account, loadAssets, loadIncludes, accountWords } = source;
  const fill = async (data: Uint8Array, isLiteral = false): Promise<Uint8Array> => {
    const request = {
      template,
      data,
      target: 'pdf',
      account,
      loadAssets,
      loadIncludes,
      accountWords,
      options: { documentDate, isLiteral, syntax },
    } as const;
    return (await docx.render({ ...request, templateKey: `${one.id} ${isLiteral}` })).docx;
  };
  if (source.data !== undefined) return { docx: await fill(source.data), content: 'filled' };
  const withExample = await unlessRefused(async () => {
    const { example } = await docx.inspect(template, { account, syntax, loadIncludes, accountWords });
    return fill(Buffer.from(JSON.stringify(example)));
  });
  if (withExample !== undefined) return { docx: withExample, content: 'example data' };
  const unfilled = await unlessRefused(() => fill(Buffer.from('{}'), true));
  if (unfilled !== undefined) return { docx: unfilled, content: 'unfilled' };
  return { docx: template, content: 'as it is' };
}

/** Resolves with undefined if the service would refuse the template or its data. */
async function unlessRefused<T>(attempt: () => Promise<T>): Promise<T | undefined> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined;
    throw error;
  }
}

const attempts = 5;
const pauseMs = 2_000;

/**
 * Converts a document. A failure is a result, because one engine may lay out what the other refuses. Does not retry
 * once `signal` has aborted.
 */
export async function producePdf(
  office: OfficePool,
  docx: Uint8Array,
  { filename, signal }: { readonly filename: string; readonly signal: AbortSignal },
): Promise<Produced> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { pdf, convertMs } = await office.convert({ docx, filename, localDate });
      return { pdf, failure: undefined, convertMs };
    } catch (error) {
      // No process may be ready just after other documents have crashed.
      const isTransient = error instanceof AppError && error.code === 'unavailable';
      if (isTransient && attempt < attempts && !signal.aborted) await pause();
      else return { pdf: undefined, failure: toFailure(error), convertMs: 0 };
    }
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs));

export function toFailure(error: unknown): Failure {
  if (error instanceof AppError) return { code: error.code, message: error.message };
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}

import { AppError } from '../../shared/errors.ts';
import type { DocxPool } from '../../worker/docx/sandbox/docx-pool.ts';
import type { OfficePool } from '../../worker/pdf/office/office-pool.ts';
import type { Case, Source } from './cases/case.ts';

/** Why there is no PDF. */
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
  /** What was laid out. */
  readonly content: 'filled' | 'example data' | 'unfilled';
}

/**
 * Fills the template as the service does. Without data of its own it gets example data, and a file that is no template
 * (its braces mean something else) is taken as it is. Throws `AppError` for data that does not fit.
 */
export async function fillCase(docx: DocxPool, one: Case, source: Source): Promise<FilledCase> {
  const { template, accountId: account, loadAssets } = source;
  const fill = async (data: Uint8Array): Promise<Uint8Array> => {
    const request = { templateKey: one.id, template, data, target: 'pdf', account, loadAssets } as const;
    return (await docx.render(request)).docx;
  };
  if (source.data !== undefined) return { docx: await fill(source.data), content: 'filled' };
  try {
    const { example } = await docx.inspect(template, { account });
    return { docx: await fill(Buffer.from(JSON.stringify(example))), content: 'example data' };
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return { docx: template, content: 'unfilled' };
    throw error;
  }
}

const attempts = 5;
const pauseMs = 2_000;

/** Converts a document. A failure is a result, because one engine may lay out what the other refuses. */
export async function producePdf(office: OfficePool, docx: Uint8Array, filename: string): Promise<Produced> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { pdf, convertMs } = await office.convert({ docx, filename });
      return { pdf, failure: undefined, convertMs };
    } catch (error) {
      // After crashes of other documents no process may be ready.
      if (error instanceof AppError && error.code === 'unavailable' && attempt < attempts) await pause();
      else return { pdf: undefined, failure: toFailure(error), convertMs: 0 };
    }
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pauseMs));

export function toFailure(error: unknown): Failure {
  if (error instanceof AppError) return { code: error.code, message: error.message };
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}

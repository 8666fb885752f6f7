import { AppError } from '../../../../src/shared/errors.ts';
import { openPackage } from '../../../../src/worker/docx/package/open-package.ts';
import { validatePackage } from '../../../../src/worker/docx/package/validate-package.ts';

export interface Refusal {
  readonly message: string;
  readonly part?: string | undefined;
}

/** The errors for an upload of these bytes, empty if it is accepted. Rethrows errors other than client errors. */
export function refusalsOf(bytes: Uint8Array): Refusal[] {
  try {
    validatePackage(openPackage(bytes));
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'template_invalid') throw error;
    return (error.details ?? []).map((detail) =>
      detail.type === 'Field'
        ? { message: `field ${detail.path}` }
        : { message: detail.message, part: 'part' in detail ? detail.part : undefined },
    );
  }
}

export function messagesOf(bytes: Uint8Array): string {
  return refusalsOf(bytes)
    .map(({ message }) => message)
    .join('\n');
}

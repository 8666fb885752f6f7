import { AppError, type AppErrorOptions, type ErrorCode } from '../../../shared/errors.ts';

/**
 * A failed conversion. `slotLost` is true when LibreOffice died or had to be killed while it converted the document. The
 * caller counts these failures per document.
 */
export class OfficeError extends AppError {
  readonly slotLost: boolean;

  constructor(code: ErrorCode, publicMessage: string, slotLost: boolean, options: AppErrorOptions = {}) {
    super(code, publicMessage, options);
    this.name = 'OfficeError';
    this.slotLost = slotLost;
  }
}

export function isSlotLost(error: unknown): error is OfficeError {
  return error instanceof OfficeError && error.slotLost;
}

export function officeUnavailable(publicMessage: string, cause?: unknown): OfficeError {
  return new OfficeError('unavailable', publicMessage, false, { cause, retryAfterSeconds: 5 });
}

export function conversionLate(timeoutMs: number): OfficeError {
  return new OfficeError(
    'conversion_timeout',
    `The document was not converted within ${timeoutMs / 1000} seconds.`,
    true,
  );
}

export function officeLost(): OfficeError {
  return new OfficeError('conversion_failed', 'LibreOffice stopped while it converted the document.', true);
}

export function outputBroken(): OfficeError {
  return new OfficeError('conversion_failed', 'LibreOffice did not write a complete PDF for the document.', false);
}

/** A healthy LibreOffice rejected the document and would reject it again, so there is no retry. */
export function conversionRefused(stage: string, reason: string): OfficeError {
  const options = { retry: false, cause: new Error(`${stage}: ${reason}`) };
  if (stage === 'full') return officeUnavailable('The converter is out of space for temporary files.', options.cause);
  const message =
    stage === 'load'
      ? 'LibreOffice could not open the document as Word OOXML.'
      : 'LibreOffice could not export the document as PDF.';
  return new OfficeError('conversion_failed', message, false, options);
}

export function invalidOption(path: string, message: string): OfficeError {
  return new OfficeError('invalid_request', message, false, { details: [{ type: 'Field', path, message }] });
}

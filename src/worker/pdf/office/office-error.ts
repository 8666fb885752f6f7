import { EngineError } from '../../engine-error.ts';

/** A failed conversion; `slotLost` when LibreOffice died or had to be killed while it converted the document. */
export class OfficeError extends EngineError {
  override readonly name = 'OfficeError';
}

export function officeUnavailable(publicMessage: string, cause?: unknown): OfficeError {
  return new OfficeError('unavailable', publicMessage, false, { cause, retryAfterSeconds: 5 });
}

/** The document would take as long again, so there is no retry. */
export function conversionLate(timeoutMs: number): OfficeError {
  const message = `Converting the document to PDF took longer than ${timeoutMs / 1000} seconds.`;
  const hint = 'convert fewer pages or shorter tables in one document, or request a .docx instead';
  return new OfficeError('conversion_timeout', message, true, { details: [{ type: 'Message', message, hint }] });
}

export function officeLost(): OfficeError {
  return new OfficeError('worker_lost', 'LibreOffice stopped while it converted the document.', true, { retry: true });
}

/** LibreOffice reported success without a usable PDF: the converter is at fault, not the document. */
export function outputBroken(): OfficeError {
  return new OfficeError('internal', 'LibreOffice did not write a complete PDF for the document.', false);
}

/** A healthy LibreOffice rejected the document and would reject it again: the document is at fault, and there is no retry. */
export function conversionRefused(stage: string, reason: string): OfficeError {
  const cause = new Error(`${stage}: ${reason}`);
  if (stage === 'full') return officeUnavailable('The converter is out of space for temporary files.', cause);
  const message =
    stage === 'load'
      ? 'LibreOffice could not open the document as Word OOXML.'
      : 'LibreOffice could not export the document as PDF.';
  const hint = 'Open the template in Word and save it again, remove unusual content, or request a .docx instead.';
  return new OfficeError('conversion_failed', message, false, {
    cause,
    details: [{ type: 'Message', message: `LibreOffice reports at the stage "${stage}": ${shown(reason)}.`, hint }],
  });
}

/** The first line of what LibreOffice reported, without paths. */
function shown(reason: string): string {
  const line = reason.split('\n', 1)[0] ?? '';
  return line
    .replace(/\S*[/\\]\S*/g, '…')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 200);
}

export function invalidOption(path: string, message: string): OfficeError {
  return new OfficeError('invalid_request', message, false, { details: [{ type: 'Field', path, message }] });
}

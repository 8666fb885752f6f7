import { EngineError } from '../../engine-error.ts';

/** A failed conversion. `slotLost` is true if LibreOffice died or had to be killed while it converted the document. */
export class OfficeError extends EngineError {
  override readonly name = 'OfficeError';
}

/** LibreOffice died or hung while it refreshed fields and indexes. A conversion without the refresh may succeed. */
export class RefreshLost extends OfficeError {
  constructor(cause: OfficeError) {
    super(cause.code, cause.message, true, { cause, retry: cause.retry });
  }
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

/** The disk that the slots share is full: no document is at fault. */
export function outOfSpace(cause: unknown): OfficeError {
  return officeUnavailable('The converter is out of space for temporary files.', cause);
}

/** The document needs more than the temporary space of a slot, which no other document uses. */
function tooLarge(cause: Error): OfficeError {
  const message = 'The document needs more temporary space than the conversion of one document may use.';
  const hint = 'send less text or smaller pictures in one document, or request a .docx instead';
  return new OfficeError('conversion_failed', message, false, { cause, details: [{ type: 'Message', message, hint }] });
}

/** The PDF was cut off at the limit of the file size. */
export function pdfTooLong(maxBytes: number): OfficeError {
  const message = `The PDF of the document is larger than ${maxBytes / 1024 / 1024} MB.`;
  const hint = 'send fewer or smaller pictures in one document, or request a .docx instead';
  return new OfficeError('conversion_failed', message, false, { details: [{ type: 'Message', message, hint }] });
}

/** LibreOffice reported success without a usable PDF: the converter is at fault, not the document. */
export function outputBroken(): OfficeError {
  return new OfficeError('internal', 'LibreOffice did not write a complete PDF for the document.', false);
}

/** A healthy LibreOffice rejected the document and would reject it again: the document is at fault, and there is no retry. */
export function conversionRefused(stage: string, reason: string): OfficeError {
  const cause = new Error(`${stage}: ${reason}`);
  if (stage === 'full') return outOfSpace(cause);
  if (stage === 'large') return tooLarge(cause);
  if (stage === 'long-table') return tableTooLong(reason);
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

const wholeTableReasons: Readonly<Record<string, string>> = {
  floating: 'it floats (text wraps around it)',
  columns: 'its page has several columns',
  direction: 'its page is written from top to bottom',
  accessible: 'accessible PDFs keep tables whole',
  rows: 'its rows are in content controls or tracked changes',
  adjacent: 'no paragraph separates it from another table',
  properties: 'it has no grid of columns',
  'page-starts': 'none of its pages begins with a whole row',
};

/** A long table that cannot be laid out page by page would take longer than the limit. `reason`: number, rows, cause. */
function tableTooLong(reason: string): OfficeError {
  const [number = '?', rows = '?', cause = ''] = reason.split(' ');
  const why = wholeTableReasons[cause] ?? 'its layout depends on all of its rows';
  const message = `Table ${shown(number)} of the document has ${shown(rows)} rows, too many for a PDF within the time limit, because ${why}.`;
  const hint = 'split the table into shorter ones, remove the cause, or request a .docx instead';
  return new OfficeError('conversion_failed', message, false, { details: [{ type: 'Message', message, hint }] });
}

/** The first line of LibreOffice's report, without paths. */
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

import { AppError } from '../../../shared/errors.ts';
import { EngineError } from '../../engine-error.ts';

export type JobKind =
  | 'inspect'
  | 'picture'
  | 'font'
  | 'invoice'
  | 'make-invoice'
  | 'compare-invoice'
  | 'render'
  | 'pages';

export function exceededTime(kind: JobKind, timeoutMs: number): AppError {
  return limitError(kind, `took longer than ${timeoutMs / 1000} seconds`);
}

export function exceededMemory(kind: JobKind, limitMb: number): AppError {
  return limitError(kind, `needed more than ${limitMb} MB of memory`);
}

function limitError(kind: JobKind, excess: string): AppError {
  if (kind === 'picture' || kind === 'font' || kind === 'invoice') {
    const message = `is ${kind === 'invoice' ? 'an' : 'a'} ${kind} whose check ${excess}`;
    return new AppError('invalid_request', `file: ${message}`, { details: [{ type: 'Field', path: 'file', message }] });
  }
  if (kind === 'inspect') {
    const message = `Checking the template ${excess}.`;
    return new AppError('template_invalid', 'Template validation errors', { details: [{ type: 'Message', message }] });
  }
  if (kind === 'compare-invoice') {
    const message = `Comparing the invoice with the pages ${excess}.`;
    const hint = 'make fewer pages with less text, or send output.pdf.invoice.onDifference "warn"';
    return new EngineError('render_limit', message, true, { details: [{ type: 'Message', message, hint }] });
  }
  const isInvoice = kind === 'make-invoice';
  const message = `${isInvoice ? 'Making the electronic invoice' : 'Filling the template'} ${excess}.`;
  const hint = isInvoice ? 'send fewer lines in one invoice' : 'render fewer rows in one document';
  return new EngineError('render_limit', message, true, { details: [{ type: 'Message', message, hint }] });
}

import type { Docmill } from '@docmill/client';
import Papa from 'papaparse';

const columns = ['row', 'file', 'status', 'checksum', 'size', 'pages', 'error', 'jobId'];

/** The manifest as CSV with the columns of the service; what a spreadsheet would run as a formula begins with an apostrophe. */
export function manifestCsv(entries: Awaited<ReturnType<Docmill['batches']['manifest']>>): string {
  return `${Papa.unparse([...entries], { columns, escapeFormulae: true })}\r\n`;
}

import type { Docmill } from '@docmill/client';
import Papa from 'papaparse';

const columns = ['row', 'file', 'status', 'checksum', 'size', 'pages', 'error', 'jobId'];

/**
 * The manifest as CSV, with the service's columns. Cells that a spreadsheet would run as a formula begin with an
 * apostrophe.
 */
export function manifestCsv(entries: Awaited<ReturnType<Docmill['batches']['manifest']>>): string {
  return `${Papa.unparse([...entries], { columns, escapeFormulae: true })}\r\n`;
}

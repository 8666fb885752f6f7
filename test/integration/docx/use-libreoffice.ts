import { afterAll } from 'vitest';
import { startTestPool } from '../pdf/office/office-fixture.ts';

/**
 * Starts one LibreOffice for the tests of a file and closes it afterwards; returns a function that converts a document
 * to PDF.
 */
export async function useLibreOffice(): Promise<(docx: Uint8Array) => Promise<Uint8Array>> {
  const { pool, close } = await startTestPool();
  afterAll(close);
  return async (docx) => (await pool.convert({ docx })).pdf;
}

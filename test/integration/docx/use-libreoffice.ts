import { afterAll } from 'vitest';
import { startTestPool } from '../pdf/office/office-fixture.ts';

/** One LibreOffice for the file's tests, closed when they are over; answers the PDF it makes of a document. */
export async function useLibreOffice(): Promise<(docx: Uint8Array) => Promise<Uint8Array>> {
  const { pool, close } = await startTestPool();
  afterAll(close);
  return async (docx) => (await pool.convert({ docx })).pdf;
}

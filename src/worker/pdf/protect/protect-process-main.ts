import { randomBytes } from 'node:crypto';
import { PDF } from '@libpdf/core';
import { readPdfRequest } from '../read-pdf-request.ts';
import { type Protection, refusedExitCode, toEncryption } from './protection.ts';

const { request: protection, pdf: file } = await readPdfRequest<Protection>('docmill-protect');
try {
  const pdf = await PDF.load(file);
  // The library repairs damaged files, but may find no pages.
  if (pdf.getPageCount() === 0) throw new Error('it has no pages');
  pdf.setProtection(toEncryption(protection, randomBytes(24).toString('base64')));
  process.stdout.write(await pdf.save());
} catch (error) {
  process.exitCode = refusedExitCode;
  process.stderr.write(String(error));
}

import { certificate } from './certificate.ts';
import { contract } from './contract.ts';
import { invoice } from './invoice.ts';
import { letter } from './letter.ts';
import { report } from './report.ts';

/** Builds the templates, by file name. */
export const buildExamples = (): Readonly<Record<string, Buffer>> => ({
  'certificate.docx': certificate(),
  'contract.docx': contract(),
  'invoice.docx': invoice(),
  'letter.docx': letter(),
  'report.docx': report(),
});

import { invoice } from './invoice.ts';

/** The templates by file name, built anew. */
export const buildExamples = (): Readonly<Record<string, Buffer>> => ({
  'invoice.docx': invoice(),
});

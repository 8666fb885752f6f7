import { uploadTexts } from '../texts/templates.ts';

/** The API's limit. */
const maxTemplateBytes = 10 * 1024 * 1024;

/** The files that the service takes as templates: documents and templates of Word, and Word XML documents. */
export const templateFileEndings = '.docx,.dotx,.dotm,.xml';

/** Why a file cannot be a template; undefined if only the service can decide. Runs before the upload. */
export function checkTemplateFile(file: { readonly name: string; readonly size: number }): string | undefined {
  if (!/\.(?:docx|dotx|dotm|xml)$/i.test(file.name)) return uploadTexts.notWord;
  return file.size > maxTemplateBytes ? uploadTexts.tooLarge : undefined;
}

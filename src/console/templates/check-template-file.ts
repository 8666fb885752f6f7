import { uploadTexts } from '../texts/templates.ts';

/** As the API. */
const maxTemplateBytes = 10 * 1024 * 1024;

/** Why a file cannot be a template, before it is sent; undefined when the service has to decide. */
export function checkTemplateFile(file: { readonly name: string; readonly size: number }): string | undefined {
  if (!/\.docx$/i.test(file.name)) return uploadTexts.notWord;
  return file.size > maxTemplateBytes ? uploadTexts.tooLarge : undefined;
}

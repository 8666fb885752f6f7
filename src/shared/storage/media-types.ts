export const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const pdfType = 'application/pdf';
export const zipType = 'application/zip';

export function contentTypeOf(format: 'docx' | 'pdf'): string {
  return format === 'pdf' ? pdfType : docxType;
}

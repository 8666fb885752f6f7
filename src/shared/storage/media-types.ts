export const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const pdfType = 'application/pdf';
export const zipType = 'application/zip';
export const xmlType = 'application/xml';

const types = { docx: docxType, pdf: pdfType, xml: xmlType } as const;

export function contentTypeOf(format: keyof typeof types): string {
  return types[format];
}

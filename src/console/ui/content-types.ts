/** The media types of templates and documents. */
export const contentTypes = {
  pdf: 'application/pdf',
  xml: 'application/xml',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
} as const;

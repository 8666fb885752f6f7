import { pdfTexts } from '../texts/pdf.ts';

/** Why a PDF cannot be shown; its message is for the person who reads. */
export class PdfProblem extends Error {
  override readonly name = 'PdfProblem';

  constructor(kind: 'tooLarge' | 'unreadable' | 'isSlow', options?: ErrorOptions) {
    super(pdfTexts[kind], options);
  }
}

import { pdfTexts } from '../texts/pdf.ts';

/** Why a PDF cannot be shown; the message is shown to the user. */
export class PdfProblem extends Error {
  override readonly name = 'PdfProblem';

  constructor(kind: 'tooLarge' | 'unreadable' | 'isSlow', options?: ErrorOptions) {
    super(pdfTexts[kind], options);
  }
}

import { comparePdfs, type PdfComparison, type PdfPair } from './compare-pdfs.ts';
import { PopplerError } from './run-poppler.ts';

export type ComparerReply = { readonly comparison: PdfComparison } | { readonly problem: string };

/** Entry of a child process that compares one pair of PDFs for each message. It exits with its parent. */
process.on('disconnect', () => process.exit());
process.on('message', (pair: PdfPair) => {
  comparePdfs(pair).then(
    (comparison) => process.send?.({ comparison } satisfies ComparerReply),
    (error: unknown) => process.send?.({ problem: describe(error) } satisfies ComparerReply),
  );
});

function describe(error: unknown): string {
  if (error instanceof PopplerError) return error.message;
  return `The PDFs could not be compared: ${error instanceof Error ? error.message : String(error)}`;
}

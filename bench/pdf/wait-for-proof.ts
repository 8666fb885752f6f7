import type { Docmill } from '@docmill/client';

const proofLimitMs = 300_000;
const proofPollMs = 500;

/** Resolves when an uploaded template is proven to be laid out correctly. Throws if the proof fails. */
export async function waitForProof(docmill: Docmill, id: string): Promise<void> {
  const lastMs = performance.now() + proofLimitMs;
  for (;;) {
    const { pdfEngine, pdfEngineReasons } = await docmill.templates.get(id);
    if (pdfEngine === 'direct') return;
    if (performance.now() > lastMs) throw new Error(`the template is not proven: ${pdfEngineReasons.join(' ')}`);
    await new Promise((resolve) => setTimeout(resolve, proofPollMs));
  }
}

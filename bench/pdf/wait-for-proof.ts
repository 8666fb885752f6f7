import type { Docmill } from '@docmill/client';

const proofLimitMs = 300_000;
const proofPollMs = 500;

/** The first PDF asks for the proof of its template. Throws when it is not proven. */
export async function waitForProof(docmill: Docmill, id: string, data: object): Promise<void> {
  const lastMs = performance.now() + proofLimitMs;
  await (await docmill.templates.generate(id, data, { format: 'pdf' })).bytes();
  for (;;) {
    const { pdfEngine, pdfEngineReasons } = await docmill.templates.get(id);
    if (pdfEngine === 'direct') return;
    if (performance.now() > lastMs) throw new Error(`the template is not proven: ${pdfEngineReasons.join(' ')}`);
    await new Promise((resolve) => setTimeout(resolve, proofPollMs));
  }
}

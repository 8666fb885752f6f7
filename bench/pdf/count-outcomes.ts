import type { ServiceStack } from '../harness/stack.ts';

/** Reads a worker's counter, such as `docmill_page_checks_total`, for one outcome. */
export async function countOf(stack: ServiceStack, counter: string, outcome: string): Promise<number> {
  const pages = await Promise.all(stack.operationsUrls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
  const pattern = new RegExp(`^${counter}\\{outcome="${outcome}"\\} (\\d+)$`, 'm');
  return Number(pattern.exec(pages.join('\n'))?.[1] ?? 0);
}

/**
 * Throws if LibreOffice made a PDF that should have been laid out directly, because the figure would measure something
 * else.
 */
export async function requireNoFallback(stack: ServiceStack): Promise<void> {
  const count = await countOf(stack, 'docmill_direct_pdfs_total', 'fallback');
  if (count > 0) throw new Error(`${count} PDFs were not laid out directly`);
}

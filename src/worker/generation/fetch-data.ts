import type { WorkerDeps } from '../context.ts';

/** What Redis holds for a document, asked for before the claim, which takes as long. */
export type FetchedData = Promise<Buffer | undefined>;

export function fetchData(deps: WorkerDeps, generationId: string): FetchedData {
  const data = deps.transient.get('data', generationId);
  // Whoever needs it waits for it; nobody does when the claim fails.
  data.catch(() => undefined);
  return data;
}

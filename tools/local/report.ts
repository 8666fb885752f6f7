/** Reports progress on standard error. Standard output is reserved for the JSON line. */
export type Report = (line: string) => void;

export function createReport(write: (text: string) => void): Report {
  const startedAtMs = performance.now();
  return (line) => write(`[${((performance.now() - startedAtMs) / 1000).toFixed(1).padStart(5)} s] ${line}\n`);
}

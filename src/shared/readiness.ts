/** A dependency and a check that it responds. */
export interface ReadinessCheck {
  readonly name: string;
  readonly check: () => Promise<boolean>;
}

export interface Readiness {
  readonly status: 'ready' | 'unavailable';
  readonly checks: Readonly<Record<string, boolean>>;
}

const limitMs = 2_000;
const cacheMs = 1_000;

/**
 * Runs all checks concurrently, each within two seconds. The result is cached for a second, so that probes are cheap.
 */
export function createReadiness(checks: readonly ReadinessCheck[]): () => Promise<Readiness> {
  let cached: { readonly at: number; readonly result: Promise<Readiness> } | undefined;
  return () => {
    const now = performance.now();
    if (cached === undefined || now - cached.at > cacheMs) cached = { at: now, result: runChecks(checks) };
    return cached.result;
  };
}

async function runChecks(checks: readonly ReadinessCheck[]): Promise<Readiness> {
  const results = await Promise.all(checks.map(async ({ name, check }) => [name, await withinLimit(check)] as const));
  const isReady = results.every(([, isOk]) => isOk);
  return { status: isReady ? 'ready' : 'unavailable', checks: Object.fromEntries(results) };
}

async function withinLimit(check: () => Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([check().catch(() => false), late]);
  } finally {
    clearTimeout(timer);
  }
}

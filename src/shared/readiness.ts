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
/** A time limit that ends this late shows that the process itself was paused. */
const pauseMs = 500;

/**
 * Runs all checks concurrently, each within two seconds. The result is cached for a second, so that probes are cheap.
 * With `isAccepting` there is a check `accepting`, which is never cached: as soon as it turns false, the result is
 * `unavailable` and repeats the last results of the other checks.
 */
export function createReadiness(
  checks: readonly ReadinessCheck[],
  isAccepting?: () => boolean,
): () => Promise<Readiness> {
  let cached: { readonly at: number; readonly result: Promise<Readiness> } | undefined;
  let last: Readiness['checks'] = {};
  const refresh = async (): Promise<Readiness> => {
    const result = await runChecks(checks);
    last = result.checks;
    return result;
  };
  return async () => {
    if (isAccepting?.() !== false) {
      const now = performance.now();
      if (cached === undefined || now - cached.at > cacheMs) cached = { at: now, result: refresh() };
      const result = await cached.result;
      if (isAccepting === undefined) return result;
      if (isAccepting()) return { ...result, checks: { accepting: true, ...result.checks } };
    }
    return { status: 'unavailable', checks: { accepting: false, ...last } };
  };
}

async function runChecks(checks: readonly ReadinessCheck[]): Promise<Readiness> {
  const results = await Promise.all(checks.map(async ({ name, check }) => [name, await passes(check)] as const));
  const isReady = results.every(([, isOk]) => isOk);
  return { status: isReady ? 'ready' : 'unavailable', checks: Object.fromEntries(results) };
}

/**
 * After a pause of the process, timeouts fire before responses that have arrived are read, so the check is repeated
 * once.
 */
async function passes(check: () => Promise<boolean>): Promise<boolean> {
  const startedAt = performance.now();
  const isOk = await withinLimit(check);
  const hasStoodStill = performance.now() - startedAt > limitMs + pauseMs;
  return !isOk && hasStoodStill ? withinLimit(check) : isOk;
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

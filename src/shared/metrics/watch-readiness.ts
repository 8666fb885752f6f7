import { Gauge, type Registry } from 'prom-client';
import type { Readiness } from '../readiness.ts';

/** `docmill_readiness_check`: the checks of `/readyz` by name, 1 when passed. */
export function watchReadiness(registry: Registry, read: () => Promise<Readiness>): void {
  new Gauge({
    name: 'docmill_readiness_check',
    help: 'Checks of the readiness of this process: 1 when passed.',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      const { checks } = await read();
      this.reset();
      for (const [check, isPassed] of Object.entries(checks)) this.set({ check }, isPassed ? 1 : 0);
    },
  });
}

import { Gauge, type Registry } from 'prom-client';

/** The counters of a `pg` pool. */
export interface CountedPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/**
 * `docmill_database_connections` by state, and `docmill_database_waiting`: statements waiting for a free connection.
 */
export function watchDatabase(registry: Registry, pool: CountedPool): void {
  new Gauge({
    name: 'docmill_database_connections',
    help: 'Connections of this process to PostgreSQL.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: 'docmill_database_waiting',
    help: 'Statements of this process that wait for a free connection.',
    registers: [registry],
    collect() {
      this.set(pool.waitingCount);
    },
  });
}

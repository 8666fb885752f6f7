import { Counter, Gauge, type Registry } from 'prom-client';
import type { Engines } from './engines.ts';

type Labels = Readonly<Record<string, string>>;
type Reading = readonly [labels: Labels, value: number];
interface Engine<Status> {
  status(): Status;
}

/**
 * What the engines do now (`docmill_office_slots`, `docmill_office_waiting`, `docmill_render_processes`, `docmill_render_waiting`) and
 * have done (`docmill_office_conversions_total`, `docmill_office_restarts_total`, `docmill_office_kills_total`,
 * `docmill_render_kills_total`), by pool: `single` for documents that callers wait for, `batch` for rows of batches.
 */
export function watchEngines(registry: Registry, { docx, office, batch }: Engines): void {
  const slots = poolsOf(office, batch?.office);
  const processes = poolsOf(docx, batch?.docx);
  const { gauge, counter } = metricsIn(registry);
  gauge('docmill_office_slots', 'LibreOffice slots: wanted, and of these warm and busy.', ['pool', 'state'], () =>
    slots.states(({ slots: wanted, warm, busy }) => ({ wanted, warm, busy })),
  );
  gauge('docmill_office_waiting', 'Documents that wait for a LibreOffice slot.', ['pool'], () =>
    slots.counts(({ waiting }) => waiting),
  );
  counter('docmill_office_conversions_total', 'Documents that LibreOffice was given.', () =>
    slots.counts(({ conversions }) => conversions),
  );
  counter('docmill_office_restarts_total', 'LibreOffice slots that were replaced.', () =>
    slots.counts(({ restarts }) => restarts),
  );
  counter('docmill_office_kills_total', 'LibreOffice slots that were killed.', () =>
    slots.counts(({ kills }) => kills),
  );
  gauge(
    'docmill_render_processes',
    'Processes that fill templates: wanted, and of these busy.',
    ['pool', 'state'],
    () => processes.states(({ processes: wanted, busy }) => ({ wanted, busy })),
  );
  gauge('docmill_render_waiting', 'Documents that wait for a process to fill their template.', ['pool'], () =>
    processes.counts(({ waiting }) => waiting),
  );
  counter('docmill_render_kills_total', 'Processes lost while they filled a template.', () =>
    processes.counts(({ kills }) => kills),
  );
}

/** Reads the pools that there are. */
function poolsOf<Status>(single: Engine<Status> | undefined, batch: Engine<Status> | undefined) {
  const pools = Object.entries({ single, batch });
  const read = <T>(of: (pool: string, status: Status) => readonly T[]): readonly T[] =>
    pools.flatMap(([pool, engine]) => (engine === undefined ? [] : of(pool, engine.status())));
  return {
    counts: (pick: (status: Status) => number): readonly Reading[] =>
      read((pool, status) => [[{ pool }, pick(status)]]),
    states: (pick: (status: Status) => Readonly<Record<string, number>>): readonly Reading[] =>
      read((pool, status) => Object.entries(pick(status)).map(([state, value]) => [{ pool, state }, value])),
  };
}

function metricsIn(registry: Registry) {
  const registers = [registry];
  return {
    gauge(name: string, help: string, labelNames: readonly string[], read: () => readonly Reading[]): void {
      new Gauge({
        ...{ name, help, labelNames, registers },
        collect() {
          for (const [labels, value] of read()) this.set(labels, value);
        },
      });
    },
    counter(name: string, help: string, read: () => readonly Reading[]): void {
      new Counter({
        ...{ name, help, labelNames: ['pool'], registers },
        collect() {
          this.reset();
          for (const [labels, value] of read()) this.inc(labels, value);
        },
      });
    },
  };
}

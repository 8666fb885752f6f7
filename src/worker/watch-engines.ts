import { Counter, Gauge, type Registry } from 'prom-client';
import type { Engines } from './engines.ts';

type Reading = readonly [labels: Readonly<Record<string, string>>, value: number];
interface Engine<Status> {
  status(): Status;
}

/**
 * What the engines do now (`docmill_office_slots`, `docmill_office_waiting`, `docmill_render_processes`, `docmill_render_waiting`) and
 * have done (`docmill_office_conversions_total`, `docmill_office_restarts_total`, `docmill_office_kills_total`,
 * `docmill_render_kills_total`), by pool: `single` for documents that callers wait for, `batch` for rows of batches.
 */
export function watchEngines(registry: Registry, { docx, office, batch }: Engines): void {
  const slots = readings(office, batch?.office);
  const processes = readings(docx, batch?.docx);
  const of = { gauge: gaugeIn(registry), counter: counterIn(registry) };
  of.gauge('docmill_office_slots', 'LibreOffice slots: wanted, and of these warm and busy.', () =>
    slots(({ slots: wanted, warm, busy }) => ({ wanted, warm, busy })),
  );
  of.gauge('docmill_office_waiting', 'Documents that wait for a LibreOffice slot.', () =>
    slots(({ waiting }) => ({ waiting })),
  );
  of.counter('docmill_office_conversions_total', 'Documents that LibreOffice was given.', () =>
    slots(({ conversions }) => ({ conversions })),
  );
  of.counter('docmill_office_restarts_total', 'LibreOffice slots that were replaced.', () =>
    slots(({ restarts }) => ({ restarts })),
  );
  of.counter('docmill_office_kills_total', 'LibreOffice slots that were killed.', () =>
    slots(({ kills }) => ({ kills })),
  );
  of.gauge('docmill_render_processes', 'Processes that fill templates: wanted, and of these busy.', () =>
    processes(({ processes: wanted, busy }) => ({ wanted, busy })),
  );
  of.gauge('docmill_render_waiting', 'Documents that wait for a process to fill their template.', () =>
    processes(({ waiting }) => ({ waiting })),
  );
  of.counter('docmill_render_kills_total', 'Processes lost while they filled a template.', () =>
    processes(({ kills }) => ({ kills })),
  );
}

/** What `pick` finds in the status of each pool that there is; the name of a count is its state. */
function readings<Status>(single: Engine<Status> | undefined, batch: Engine<Status> | undefined) {
  return (pick: (status: Status) => Readonly<Record<string, number>>): readonly Reading[] =>
    Object.entries({ single, batch }).flatMap(([pool, engine]) =>
      engine === undefined
        ? []
        : Object.entries(pick(engine.status())).map(([state, value]): Reading => [{ pool, state }, value]),
    );
}

type Watch = (name: string, help: string, read: () => readonly Reading[]) => void;
const labelNames = ['pool', 'state'];

function gaugeIn(registry: Registry): Watch {
  return (name, help, read) =>
    void new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        for (const [labels, value] of read()) this.set(labels, value);
      },
    });
}

function counterIn(registry: Registry): Watch {
  return (name, help, read) =>
    void new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
}

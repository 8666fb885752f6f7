import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { fontVariables } from './test/support/fonts.ts';

const cores = availableParallelism();
// Files that use services run side by side, whatever their suite; they wait more than they work.
const workers = cores + 2;
const times = process.env.TEST_TIMES === undefined ? [] : ['test/support/times/record-file.ts'];
const clock = ['test/support/away-from-midnight.ts'];
// What a test waits for comes by itself: on a busy machine later, so no poll gives up early. Each poll costs the service a request.
const expectations = { poll: { timeout: 120_000, interval: 100 } };
// The clients are tested as sources; the rest are Vitest's own. With 'module', packages load that Node.js itself would not find.
const resolve = { conditions: ['docmill-source', 'node', 'development|production'] };
const project = { resolve, ssr: { resolve } };
const builtEntries = {
  find: /^(?:\.\.?\/)+(?:shared\/)?resolve-entry\.ts$/,
  replacement: fileURLToPath(new URL('test/support/services/built-entry.ts', import.meta.url)),
};

// Also of the services, and of their LibreOffice.
Object.assign(process.env, fontVariables);

export default defineConfig({
  test: {
    // Services end in their own time: without it, Vitest would leave them behind after ten seconds.
    teardownTimeout: 120_000,
    projects: [
      {
        ...project,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          setupFiles: [...times, 'test/support/property-seed.ts'],
          // The first look of the OOXML validator takes seconds; on a busy machine half a minute.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: expectations,
          environment: 'node',
          // Pure: nothing that one file does is seen by the next.
          isolate: false,
          maxWorkers: cores,
          sequence: { groupOrder: 1 },
        },
      },
      {
        ...project,
        resolve: { ...resolve, alias: [builtEntries] },
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup: ['test/support/services/integration-services.ts'],
          setupFiles: [...times, ...clock, 'test/support/leaves-nothing.ts', 'test/support/services/check-rows.ts'],
          environment: 'node',
          // What one file changes in the process, the set-up reports: the next would see it.
          isolate: false,
          testTimeout: 480_000,
          hookTimeout: 480_000,
          expect: expectations,
          maxWorkers: workers,
          sequence: { groupOrder: 2 },
        },
      },
      {
        ...project,
        test: {
          name: 'acceptance',
          include: ['test/acceptance/**/*.test.ts'],
          setupFiles: [...times, ...clock],
          globalSetup: ['test/support/services/acceptance-stack.ts'],
          environment: 'node',
          testTimeout: 480_000,
          hookTimeout: 480_000,
          expect: expectations,
          isolate: false,
          maxWorkers: workers,
          sequence: { groupOrder: 2 },
        },
      },
      {
        ...project,
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          setupFiles: times,
          environment: 'node',
          testTimeout: 480_000,
          hookTimeout: 480_000,
          maxWorkers: workers,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

import { afterAll, expect, vi } from 'vitest';

const { getOwnPropertyDescriptors, prototype } = Object;

/** What a file could change for the files that run after it in the same process. */
function sharedState(): Record<string, unknown> {
  const inherited = getOwnPropertyDescriptors(prototype) as Record<PropertyKey, PropertyDescriptor>;
  return {
    'process.env': { ...process.env },
    'process.cwd()': process.cwd(),
    'the listeners of signals': ['SIGINT', 'SIGTERM'].map((signal) => process.listenerCount(signal)),
    'what every object inherits': Reflect.ownKeys(inherited)
      .filter((name) => inherited[name]?.enumerable)
      .map(String),
    'fetch, Date or setTimeout': [globalThis.fetch, globalThis.Date, globalThis.setTimeout],
  };
}

const before = sharedState();

// Registered before those of the file, it runs after them.
afterAll(() => {
  vi.unstubAllEnvs();
  for (const [name, value] of Object.entries(sharedState())) {
    expect(value, `the file changes ${name}, for the files that share its process`).toEqual(before[name]);
  }
});

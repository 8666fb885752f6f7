import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyedLimiter, type Permit } from '../../../src/shared/keyed-limiter.ts';

const minuteMs = 60_000;
const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Acquires permits for a key, and records the order in which they are granted. */
function newCallers(limiter: ReturnType<typeof createKeyedLimiter>) {
  const granted: string[] = [];
  const permits = new Map<string, Permit>();
  const acquire = (name: string, key: string, maxWaitMs = minuteMs) => {
    void limiter.acquire(key, maxWaitMs).then((permit) => {
      granted.push(permit === undefined ? `${name} refused` : name);
      if (permit !== undefined) permits.set(name, permit);
    });
  };
  const release = async (name: string) => {
    permits.get(name)?.release();
    await soon();
  };
  return { granted, acquire, release };
}

describe('acquire', () => {
  it('grants as many permits as a key may hold, and more in order of arrival', async () => {
    const { granted, acquire, release } = newCallers(createKeyedLimiter({ maxPerKey: 2 }));
    for (const name of ['a0', 'a1', 'a2', 'a3']) acquire(name, 'a');
    acquire('b0', 'b');
    await soon();
    expect(granted).toEqual(['a0', 'a1', 'b0']);
    await release('a1');
    expect(granted).toEqual(['a0', 'a1', 'b0', 'a2']);
    await release('b0');
    expect(granted).toHaveLength(4);
    await release('a2');
    expect(granted.at(-1)).toBe('a3');
  });

  it('skips a waiting key at its own limit when another key releases a permit', async () => {
    const { granted, acquire, release } = newCallers(createKeyedLimiter({ maxPerKey: 1, maxTotal: 2 }));
    for (const name of ['a0', 'b0', 'a1', 'c0']) acquire(name, name.charAt(0));
    await soon();
    expect(granted).toEqual(['a0', 'b0']);
    await release('b0');
    expect(granted).toEqual(['a0', 'b0', 'c0']);
    await release('a0');
    expect(granted.at(-1)).toBe('a1');
  });

  it('refuses after the wait limit, and the refused caller takes no permit', async () => {
    const limiter = createKeyedLimiter({ maxPerKey: 1 });
    const first = limiter.tryAcquire('a');
    expect(await limiter.acquire('a', 20)).toBeUndefined();
    first?.release();
    expect(limiter.inUse()).toBe(0);
    expect(await limiter.acquire('a', minuteMs)).toBeDefined();
  });
});

describe('tryAcquire', () => {
  it('refuses beyond the limit of the key and beyond the limit of all keys', () => {
    const limiter = createKeyedLimiter({ maxPerKey: 2, maxTotal: 3 });
    const permits = ['a', 'a', 'a', 'b', 'b', 'c'].map((key) => limiter.tryAcquire(key) !== undefined);
    expect(permits).toEqual([true, true, false, true, false, false]);
    expect(limiter.inUse()).toBe(3);
  });

  it('a permit that is released twice frees one permit', () => {
    const limiter = createKeyedLimiter({ maxPerKey: 2 });
    const first = limiter.tryAcquire('a');
    limiter.tryAcquire('a');
    first?.release();
    first?.release();
    expect(limiter.inUse()).toBe(1);
    expect([limiter.tryAcquire('a'), limiter.tryAcquire('a')].map((permit) => permit === undefined)).toEqual([
      false,
      true,
    ]);
  });
});

it('the limits hold and no permit is lost, whatever is acquired and released', () => {
  const command = fc.record({ key: fc.constantFrom('a', 'b', 'c'), release: fc.option(fc.nat(20)) });
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      const limiter = createKeyedLimiter({ maxPerKey: 2, maxTotal: 4 });
      const held: { key: string; permit: Permit }[] = [];
      for (const { key, release } of commands) {
        if (release !== null) held.splice(release, 1)[0]?.permit.release();
        else {
          const permit = limiter.tryAcquire(key);
          const own = held.filter((entry) => entry.key === key).length;
          expect(permit !== undefined).toBe(own < 2 && held.length < 4);
          if (permit !== undefined) held.push({ key, permit });
        }
        expect(limiter.inUse()).toBe(held.length);
      }
    }),
  );
});

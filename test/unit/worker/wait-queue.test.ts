import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WaitQueue } from '../../../src/worker/supervisor/wait-queue.ts';

test('returns items in order, whatever was removed, and never holds more than its limit', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('push' as const), item: fc.nat(20) }),
    fc.record({ kind: fc.constant('take' as const), item: fc.constant(0) }),
    fc.record({ kind: fc.constant('remove' as const), item: fc.nat(20) }),
  );
  fc.assert(
    fc.property(fc.array(step), fc.integer({ min: 1, max: 5 }), (steps, limit) => {
      const queue = new WaitQueue<number>(limit);
      const model: number[] = [];
      for (const { kind, item } of steps) {
        if (kind === 'push') {
          const hasSpace = model.length < limit;
          expect(queue.push(item)).toBe(hasSpace);
          if (hasSpace) model.push(item);
        }
        if (kind === 'take') expect(queue.take()).toBe(model.shift());
        if (kind === 'remove') {
          queue.remove(item);
          if (model.includes(item)) model.splice(model.indexOf(item), 1);
        }
        expect(queue.size).toBe(model.length);
      }
      expect(queue.takeAll()).toEqual(model);
    }),
  );
});

test('puts an item back at the front, even when it is full', () => {
  const queue = new WaitQueue<string>(2);
  queue.push('a');
  queue.push('b');
  const taken = queue.take() ?? '';
  queue.push('c');
  queue.putBack(taken);
  expect(queue.takeAll()).toEqual(['a', 'b', 'c']);
});

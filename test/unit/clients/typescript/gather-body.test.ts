import { Docmill } from '@docmill/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { gatherRows, gatherStream } from '../../../../clients/typescript/src/gather-body.ts';

afterEach(() => vi.unstubAllGlobals());

async function* people(names: readonly string[]) {
  for (const name of names) yield { name };
}

describe('request bodies in a browser page', () => {
  const inputs = {
    'an async iterable': () => people(['Ada', 'Grace']),
    'an iterable': () => [{ name: 'Ada' }, { name: 'Grace' }].values(),
    'a function': () => () => people(['Ada', 'Grace']),
    'a stream': () => ({ ndjson: new Blob(['{"name":"Ada"}\n', '{"name":"Grace"}\n']).stream() }),
  };

  test.each(Object.entries(inputs))('rows from %s are sent as one body, which can be sent again', async (_, open) => {
    vi.stubGlobal('document', {});
    const bodies: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (_address, init) => {
      bodies.push(init?.body);
      return bodies.length === 1 ? new Response(null, { status: 503 }) : Response.json({ id: 'bat_1' });
    };
    const docmill = new Docmill({ baseUrl: 'http://localhost', apiKey: 'k', retryDelayMs: 1, fetch });
    expect(await docmill.batches.create('tpl_1', open())).toMatchObject({ id: 'bat_1' });
    expect(bodies).toHaveLength(2);
    for (const body of bodies)
      expect(body instanceof Blob && (await body.text())).toBe('{"name":"Ada"}\n{"name":"Grace"}\n');
  });
});

test('rows and streams beyond the limit fail, and their source is closed', async () => {
  let isClosed = false;
  const endless = async function* () {
    try {
      for (;;) yield { text: 'x'.repeat(100_000) };
    } finally {
      isClosed = true;
    }
  };
  await expect(gatherRows(endless(), undefined, 2_500_000)).rejects.toThrow(
    'longer than 2500000 bytes: split the batch',
  );
  expect(isClosed).toBe(true);
  const cancelled = vi.fn();
  const stream = new ReadableStream<Uint8Array>({ pull: (to) => to.enqueue(new Uint8Array(1_000)), cancel: cancelled });
  await expect(gatherStream(stream, undefined, 2_500)).rejects.toThrow('longer than 2500 bytes');
  expect(cancelled).toHaveBeenCalledOnce();
  // The limit counts the bytes that are sent, not the characters.
  await expect(gatherRows([{ a: 'ä' }], undefined, 10)).rejects.toThrow('longer');
  expect((await gatherRows([{ a: 'ä' }], undefined, 11)).size).toBe(11);
});

test('an aborted call stops reading its rows', async () => {
  const controller = new AbortController();
  const rows = async function* () {
    yield {};
    controller.abort(new RangeError('enough'));
    yield {};
  };
  await expect(gatherRows(rows(), controller.signal)).rejects.toThrow('enough');
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerToPieces,
  frameToAnswer,
  frameToJob,
  jobToPieces,
} from '../../../../src/worker/docx/sandbox/message-frames.ts';
import type { ProcessAnswer, ProcessJob } from '../../../../src/worker/docx/sandbox/protocol.ts';
import { type Frame, FrameReader, frameHead } from '../../../../src/worker/supervisor/frame.ts';
import { always } from '../../../support/properties.ts';

const bytes = fc.uint8Array({ maxLength: 300 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const message = fc.record({ head: fc.jsonValue(), body: bytes });

function cut(stream: Buffer, at: readonly number[]): Buffer[] {
  const places = [0, ...at.map((place) => place % (stream.length + 1)).sort((a, b) => a - b), stream.length];
  return places.slice(1).map((end, i) => stream.subarray(places[i], end));
}

function only(frames: readonly Frame[]): Frame {
  const [frame, ...more] = frames;
  if (frame === undefined || more.length > 0) throw new Error(`${frames.length} frames instead of one`);
  return frame;
}

const travel = (pieces: Uint8Array[]): Frame =>
  only(new FrameReader({ maxBytes: 10_000, keepsChunks: true }).push(Buffer.concat(pieces)));

describe('frames', () => {
  it.each([true, false])('are reassembled from chunks of any size (views of the chunks: %s)', (keepsChunks) => {
    always(100, [fc.array(message, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 8 })], (messages, places) => {
      const reader = new FrameReader({ maxBytes: 100_000, keepsChunks });
      const stream = Buffer.concat(messages.flatMap(({ head, body }) => [frameHead(head, body.length), body]));
      const frames = cut(stream, places).flatMap((piece) => {
        const chunk = Buffer.from(piece);
        const read = reader.push(chunk);
        if (!keepsChunks) chunk.fill(0xff);
        return read;
      });
      expect(frames.map(({ head, body }) => [JSON.parse(head.toString()), [...body]])).toEqual(
        messages.map(({ head, body }) => [JSON.parse(JSON.stringify(head)), [...body]]),
      );
    });
  });

  it('are reassembled from single bytes, and only when complete', () => {
    const reader = new FrameReader({ maxBytes: 100, keepsChunks: true });
    const whole = Buffer.concat([frameHead({ a: 1 }, 2), Buffer.from('xy')]);
    const frames = [...whole.subarray(0, -1)].map((byte) => reader.push(Buffer.from([byte])));
    expect(frames.flat()).toEqual([]);
    expect(only(reader.push(whole.subarray(-1)))).toEqual({ head: Buffer.from('{"a":1}'), body: Buffer.from('xy') });
  });

  it('are rejected when they are too long, before memory is allocated', () => {
    const reader = new FrameReader({ maxBytes: 1000, keepsChunks: true });
    expect(() => reader.push(frameHead({}, 2 ** 32 - 1))).toThrow('message too large: 4294967297 bytes');
  });
});

describe('messages between the pool and its processes', () => {
  it('carry jobs unchanged', () => {
    const name = fc.string({ unit: 'binary', maxLength: 20 });
    const render = fc.record({
      kind: fc.constant('render' as const),
      cacheKey: name,
      template: maybe(bytes),
      data: bytes,
      target: fc.constantFrom('docx' as const, 'pdf' as const),
      options: maybe(fc.record({ locale: name, timezone: name, onMissing: fc.constant('error' as const) })),
      assets: maybe(fc.array(fc.tuple(name, fc.option(bytes))).map((assets) => new Map(assets))),
      fonts: maybe(fc.record({ key: name, ranges: maybe(fc.array(fc.nat(0x10ffff))) })),
    });
    const plain = fc.record({ kind: fc.constantFrom('inspect' as const, 'picture' as const), bytes });
    always(100, [fc.oneof(render, plain)], (job: ProcessJob) => {
      expect(comparable(frameToJob(travel(jobToPieces(job))))).toEqual(comparable(job));
    });
  });

  it('carry answers unchanged', () => {
    const cache = { isCached: true, evicted: ['a', '\ud800'] };
    const answers: ProcessAnswer[] = [
      { kind: 'ready' },
      { kind: 'document', document: { docx: Buffer.from('PK'), warnings: [], renderMs: 0.25 }, cache },
      { kind: 'document', document: { docx: Buffer.alloc(0), warnings: [], renderMs: 1 }, cache },
      { kind: 'needs', assets: ['logo'], renderMs: 2, cache },
      { kind: 'refused', error: { code: 'data_invalid', message: 'é "\n' }, cache: undefined, isSpent: true },
      { kind: 'broken', stack: 'Error: x' },
    ];
    for (const answer of answers) expect(frameToAnswer(travel(answerToPieces(answer)))).toEqual(answer);
  });

  it.each(['', 'null', '[]', '{}', '{"kind":"other"}', '{"kind":'])('are rejected as an answer: %j', (text) => {
    expect(() => frameToAnswer({ head: Buffer.from(text), body: Buffer.alloc(0) })).toThrow();
  });
});

/** The bytes of a Buffer or Uint8Array as numbers. */
function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (value instanceof Map) return [...value].map(([key, inner]) => [key, comparable(inner)]);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, comparable(inner)]));
}

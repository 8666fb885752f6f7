import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Frame, FrameReader, frameHead } from '../../../../src/worker/supervisor/frame.ts';
import { always } from '../../../support/properties.ts';

const bytes = fc.uint8Array({ maxLength: 300 });
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

  it('are reassembled from single bytes, and delivered only when complete', () => {
    const reader = new FrameReader({ maxBytes: 100, keepsChunks: true });
    const whole = Buffer.concat([frameHead({ a: 1 }, 2), Buffer.from('xy')]);
    const frames = [...whole.subarray(0, -1)].map((byte) => reader.push(Buffer.from([byte])));
    expect(frames.flat()).toEqual([]);
    expect(only(reader.push(whole.subarray(-1)))).toEqual({ head: Buffer.from('{"a":1}'), body: Buffer.from('xy') });
  });

  it('are rejected if they are too long, before memory is allocated', () => {
    const reader = new FrameReader({ maxBytes: 1000, keepsChunks: true });
    expect(() => reader.push(frameHead({}, 2 ** 32 - 1))).toThrow('message too large: 4294967297 bytes');
  });
});

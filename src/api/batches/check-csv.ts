import { batchLimits } from './batch-limits.ts';
import { malformedStream } from './malformed-stream.ts';

const quote = 0x22;
const comma = 0x2c;
const lf = 0x0a;
const cr = 0x0d;

type Place = 'start' | 'bare' | 'quoted' | 'closed';

/**
 * Passes CSV (RFC 4180) on as it comes; throws at the first quote that cannot be, and at a row that is too large. The
 * parser behind it does not tell bytes.
 */
export async function* checkCsv(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let place: Place = 'start';
  let position = 0;
  let rowStart = 0;
  let openedAt = 0;
  for await (const chunk of chunks) {
    const from = position === 0 && isBom(chunk) ? 3 : 0;
    for (let i = from; i < chunk.length; i++) {
      const byte = chunk[i];
      if (place === 'quoted') {
        if (byte === quote) place = 'closed';
      } else if (byte === comma) place = 'start';
      else if (byte === lf || byte === cr) {
        place = 'start';
        rowStart = position + i + 1;
      } else if (byte === quote) {
        if (place === 'bare') throw malformedStream('has a quote inside a CSV field without quotes', position + i);
        if (place === 'start') openedAt = position + i;
        place = 'quoted';
      } else if (place === 'closed') {
        throw malformedStream('has text behind the closing quote of a CSV field', position + i);
      } else place = 'bare';
    }
    position += chunk.length;
    if (position - rowStart > batchLimits.rowBytes + chunk.length) {
      if (place === 'quoted') throw malformedStream('has a quoted CSV field that is never closed', openedAt);
      throw malformedStream(`has a row larger than ${batchLimits.rowBytes / 1024 / 1024} MB`, rowStart);
    }
    yield chunk;
  }
  if (place === 'quoted') throw malformedStream('has a quoted CSV field that is never closed', openedAt);
}

function isBom(chunk: Buffer): boolean {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
}

import type { Readable } from 'node:stream';

/** Reads the error output of a program and keeps its last characters, which name the problem. */
export function keepTail(stream: Readable, maxChars: number): () => string {
  let tail = '';
  stream.setEncoding('utf8');
  // The exit of the program is reported.
  stream.on('error', () => undefined);
  stream.on('data', (text: string) => {
    tail = (tail + text).slice(-maxChars);
  });
  return () => tail.trim();
}

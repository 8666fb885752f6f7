import { buffer } from 'node:stream/consumers';

/**
 * For processes started by `runPdfProcess`: sets the process name, ignores signals, and reads the request and the file.
 */
export async function readPdfRequest<T>(title: string): Promise<{ readonly request: T; readonly pdf: Uint8Array }> {
  process.title = title;
  // The parent ends this process. A signal to the whole group must not interrupt it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
  process.stdout.on('error', () => process.exit(1));
  const input = await buffer(process.stdin);
  const end = input.indexOf('\n');
  return { request: JSON.parse(input.toString('utf8', 0, end)) as T, pdf: input.subarray(end + 1) };
}

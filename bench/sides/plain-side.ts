import { serveSide } from '../harness/serve-side.ts';
import { renderPlain } from './plain.ts';

export interface PlainSetup {
  readonly template: Uint8Array;
  readonly data: unknown;
}

/** docxtemplater and pizzip in a loop, in one thread: the floor. */
serveSide<PlainSetup>(async ({ template, data }) => {
  const bytes = Buffer.from(template);
  return { make: () => renderPlain(bytes, data).length };
});

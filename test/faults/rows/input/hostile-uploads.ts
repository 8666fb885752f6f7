import { archiveAttacks, unsafeNames, withEntry } from '../../../unit/docx/package/archive-attacks.ts';
import { disguisedFiles } from '../../../unit/docx/package/disguised-files.ts';
import { xmlAttacks } from '../../../unit/docx/package/xml-attacks.ts';
import { letter } from '../../client/templates.ts';
import type { Harness } from '../../harness/harness.ts';
import { descendants, peakBytes } from '../../harness/measure.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const megabyte = 1024 * 1024;

type Attack = readonly [what: string, build: () => Uint8Array, refusedFor: RegExp];

const attacks: readonly Attack[] = [
  ...archiveAttacks,
  // The error contains the name, which must not look like a path of the machine.
  ...unsafeNames
    .map(([name]) => name.replace('/var/', '/elsewhere/'))
    .map((name): Attack => [`named ${JSON.stringify(name)}`, () => withEntry({ name }), /unsafe name/]),
  ...xmlAttacks.map(([what, , build, refusedFor]): Attack => [what, build, refusedFor]),
  // An empty file is refused before it is opened.
  ...disguisedFiles
    .filter(([, { length }]) => length > 0)
    .map(([what, bytes, refusedFor]): Attack => [what, () => bytes, refusedFor]),
];

/** The peak memory of the workers' render processes. */
function peakOfOpeners(h: Harness): number {
  return Math.max(0, ...h.workers.flatMap(({ pid }) => descendants(pid)).map(peakBytes));
}

export const hostileUploadRows: readonly Row[] = [
  {
    id: 'A1',
    title: `${attacks.length} malicious packages`,
    story:
      'Zip bombs, false headers, unsafe names, DTDs, deep XML, other formats: each gets 400 with the reason, in bounded memory and before RENDER_TIMEOUT_MS; then a good one is accepted',
    set: 'extended',
    async run(h) {
      const { api } = await h.start();
      const client = await h.account({ templates: 3 });
      const before = await until('a process that opens documents', () => peakOfOpeners(h) || undefined);
      let peak = before;
      for (const [what, build, refusedFor] of attacks) {
        const answer = await client.upload('attack.docx', Buffer.from(build()));
        expectEqual([answer.status, answer.headers.get('Error-Code')], [400, 'template_invalid'], what);
        const { error } = JSON.parse(answer.body.toString()) as { error: { details?: { message: string }[] } };
        const messages = (error.details ?? []).map(({ message }) => message).join('\n');
        // At the time limit, the reason would be different.
        expect(refusedFor.test(messages), `${what}: ${messages.slice(0, 200)}`);
        peak = Math.max(peak, peakOfOpeners(h));
      }
      const grown = Math.round((peak - before) / megabyte);
      expect(grown < 300, `a process that opens documents grew by ${grown} MB`);
      expect(peakBytes(api.pid) < 600 * megabyte, 'the API grew');
      await h.template(client, letter);
      expectEqual((await client.quotas()).templates, 2, 'the places for templates');
    },
  },
];

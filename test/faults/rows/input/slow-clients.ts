import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { letter } from '../../client/templates.ts';
import type { Harness, Owner } from '../../harness/harness.ts';
import { residentBytes } from '../../harness/measure.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const megabyte = 1024 * 1024;

/** A letter with incompressible data. */
export function heavyLetter(sizeBytes: number): Buffer {
  return buildDocx({
    body: paragraph('{canary} {order}'),
    parts: { 'word/media/noise.png': randomBytes(sizeBytes) },
    rels: [{ id: 'rIdNoise', type: 'image', target: 'media/noise.png' }],
  });
}

/** Requests a document and reads it at one kilobyte per second. */
function readSlowly(h: Harness, { account, templateId }: Owner): Socket {
  const body = JSON.stringify({ data: { canary: account.canary, order: 'slow' } });
  const socket = connect(h.api.spec.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /v1/templates/${templateId}/generate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${account.apiKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  socket.pause();
  const timer = setInterval(() => socket.read(1_024), 1_000);
  socket.on('close', () => clearInterval(timer));
  return socket;
}

export const slowClientRows: readonly Row[] = [
  {
    id: 'I10',
    title: 'clients read their documents at 1 KB/s',
    story:
      '40 readers of 5 MB each: memory is bounded, another client gets its document, and nothing remains of theirs',
    async run(h) {
      const { api } = await h.start();
      const slow = await h.owner(heavyLetter(5 * megabyte), { credits: 100 });
      const other = await h.owner(letter, { credits: 100 });
      const before = residentBytes(api.pid);
      const sockets = Array.from({ length: 40 }, () => readSlowly(h, slow));
      h.allowedUnanswered = 40;
      const { accountId } = slow.account;
      await until('all slow documents being made', async () => (await h.statuses(accountId)).succeeded === 40);
      const grown = Math.round((residentBytes(api.pid) - before) / megabyte);
      expect(grown < 600, `the API grew by ${grown} MB`);
      expectEqual((await other.client.generate(other)).status, 200, 'the answer of another client');
      for (const socket of sockets) socket.destroy();
      const { client } = h.backing.redis;
      await until('no result in Redis', async () => (await client.keys(`${h.prefix}:result:*`)).length === 0);
    },
  },
  {
    id: 'I11',
    title: 'slowloris with 500 sockets',
    story:
      'One byte of headers per second: each socket is closed, and health checks and requests are answered meanwhile',
    async run(h) {
      const { api } = await h.start();
      const owner = await h.owner(letter);
      const sockets = Array.from({ length: 500 }, () => {
        const socket = connect(api.spec.port, '127.0.0.1');
        socket.on('error', () => undefined).on('data', () => undefined);
        socket.write('GET /v1/templates HTTP/1.1\r\nX-Slow: ');
        return socket;
      });
      const drip = setInterval(() => {
        for (const socket of sockets) if (!socket.destroyed) socket.write('a');
      }, 1_000);
      try {
        expectEqual((await fetch(`${api.url}/healthz`)).status, 200, 'the health');
        expectEqual((await owner.client.generate(owner)).status, 200, 'the answer beside slow clients');
        await until('every slow socket being closed', () => sockets.every(({ closed }) => closed));
      } finally {
        clearInterval(drip);
        for (const socket of sockets) socket.destroy();
      }
    },
  },
];

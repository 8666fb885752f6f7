import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connectRaw } from '../../../support/client/raw-http.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { letter } from '../../client/templates.ts';
import type { Harness, Owner } from '../../harness/harness.ts';
import { percentile, residentBytes } from '../../harness/measure.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const megabyte = 1024 * 1024;

/** A letter with five megabytes of incompressible data. */
function heavyLetter(): Buffer {
  return buildDocx({
    body: paragraph('{canary} {order}'),
    parts: { 'word/media/noise.png': randomBytes(5 * megabyte) },
    rels: [{ id: 'rIdNoise', type: 'image', target: 'media/noise.png' }],
  });
}

/** Requests a document and reads it at one kilobyte per second. */
function readSlowly(h: Harness, { account, templateId }: Owner): Socket {
  const body = JSON.stringify({ data: { canary: account.canary, order: 'slow' } });
  const socket = connect(Number(new URL(h.api.url).port), '127.0.0.1');
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

/** The response times of many health checks in a row. */
async function healthMs(h: Harness, times: number): Promise<number[]> {
  const measured: number[] = [];
  for (let time = 0; time < times; time++) {
    const startedAt = performance.now();
    expectEqual((await fetch(`${h.api.url}/healthz`)).status, 200, 'the health');
    measured.push(performance.now() - startedAt);
    await delay(20);
  }
  return measured;
}

export const slowClientRows: readonly Row[] = [
  {
    id: 'I9',
    title: 'client disconnects in the middle of an upload',
    story:
      '5 of 10 MB, then the connection is cut, 20 times: nothing stored, no temporary file, no quota used, memory released',
    async run(h) {
      const { api } = await h.start();
      const client = await h.account({ templates: 3 });
      const before = residentBytes(api.pid);
      const half = Buffer.alloc(5 * megabyte, 1);
      for (let time = 0; time < 20; time++) {
        const connection = await connectRaw(api.url);
        await connection.send(
          `POST /v1/templates HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${client.account.apiKey}\r\n` +
            `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${10 * megabyte}\r\n\r\n` +
            '--b\r\nContent-Disposition: form-data; name="file"; filename="a.docx"\r\n\r\n',
          half,
        );
        connection.close();
      }
      expectEqual((await client.quotas()).templates, 3, 'the places for templates');
      const keys = await h.backing.redis.client.keys(`${h.prefix}:upload:*`);
      expectEqual(keys, [], 'uploads in Redis');
      await until('the memory being back', () => residentBytes(api.pid) < before * 1.2 + 80 * megabyte, 20_000, 500);
    },
  },
  {
    id: 'I10',
    title: 'client reads its document at 1 KB/s',
    story:
      '40 readers of 5 MB each: memory is bounded, other clients are not affected, nothing remains when they disconnect',
    async run(h) {
      const { api } = await h.start();
      const slow = await h.owner(heavyLetter(), { credits: 100 });
      const other = await h.owner(letter, { credits: 100 });
      const before = residentBytes(api.pid);
      const sockets = Array.from({ length: 40 }, () => readSlowly(h, slow));
      h.allowedUnanswered = 40;
      await until('all slow documents being made', async () => {
        const { succeeded = 0 } = await h.statuses(slow.account.accountId);
        return succeeded >= 40;
      });
      const grown = residentBytes(api.pid) - before;
      expect(grown < 600 * megabyte, `the API grew by ${Math.round(grown / megabyte)} MB`);
      const times: number[] = [];
      for (let time = 0; time < 20; time++) {
        const answer = await other.client.generate({ templateId: other.templateId });
        expectEqual(answer.status, 200, 'the answer of another client');
        times.push(answer.durationMs);
      }
      expect(percentile(times, 0.5) < 500, `other clients wait ${Math.round(percentile(times, 0.5))} ms`);
      for (const socket of sockets) socket.destroy();
      // Answered results are deleted together within a few milliseconds.
      await until(
        'no result being left in Redis',
        async () => {
          const keys = await h.backing.redis.client.keys(`${h.prefix}:result:*`);
          return keys.length === 0;
        },
        2_000,
      );
    },
  },
  {
    id: 'I11',
    title: 'slowloris with 500 sockets',
    story:
      'One byte of headers per second: each socket is closed within 15 s, health checks answer in under 200 ms meanwhile',
    async run(h) {
      const { api } = await h.start();
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
        const times = await healthMs(h, 50);
        expect(percentile(times, 0.5) < 200, `health takes ${Math.round(percentile(times, 0.5))} ms`);
        await until('every slow socket being closed', () => sockets.every(({ closed }) => closed), 20_000);
      } finally {
        clearInterval(drip);
        for (const socket of sockets) socket.destroy();
      }
    },
  },
];

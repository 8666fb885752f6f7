import { ApiError, ConnectionError, type Docmill } from '@docmill/client';
import { expect, test } from 'vitest';
import { drawProblems } from '../../../../../src/console/templates/problems/draw-problems.ts';
import { buildDocx, paragraph } from '../../../../support/documents/docx-builder.ts';

const file = new Blob([new Uint8Array(buildDocx({ body: paragraph('Dear {name') }))]);
const refusal = (status: number) => new ApiError('refused', { status, code: 'unknown', details: [] });

/** What becomes of the pages when the service answers the preview with this error. */
function drawRefused(error: Error) {
  const docmill = { templates: { previewFile: () => Promise.reject(error) } } as unknown as Docmill;
  return drawProblems(docmill, file, [], new AbortController().signal);
}

test.each([new ConnectionError('lost'), refusal(429), refusal(503), refusal(504)])(
  'a service that is busy or not reached is an error, so that a person can try again: %s',
  async (error) => {
    await expect(drawRefused(error)).rejects.toBe(error);
  },
);

test('a file that cannot be laid out has no pages', async () => {
  expect(await drawRefused(refusal(400))).toBeUndefined();
});

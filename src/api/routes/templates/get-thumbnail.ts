import { z } from '@hono/zod-openapi';
import { openThumbnail } from '../../documents/make-thumbnail.ts';
import { findPreviewed } from '../../documents/request-preview.ts';
import { notModified, toChecksumTag } from '../../http/conditional-request.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import { noteRequest } from '../../http/request-facts.ts';
import type { Operation } from '../../operation.ts';
import {
  binary,
  etagHeader,
  header,
  notModifiedResponse,
  problemResponses,
  readPreconditions,
  templateIdParam,
  versionQuery,
} from '../common-schemas.ts';

const query = z.object({ version: versionQuery });

export const getThumbnailOperation: Operation = {
  scope: 'templates:read',
  route: {
    method: 'get',
    path: '/v1/templates/{id}/thumbnail',
    operationId: 'getTemplateThumbnail',
    summary: 'Get thumbnail',
    description:
      'The first page of a version, filled with its example data, as a small PNG: 480 pixels wide for A4. Made by the first request, which counts as a preview, and kept as long as the version and those of the templates that it includes. `404` with the reason when the template is at fault; it is tried again after a day, or after ten minutes when drawing took too long. With `version`, clients may keep the picture of a template that includes no others for ever.',
    tags: ['Templates'],
    request: { params: z.object({ id: templateIdParam }), query, headers: readPreconditions },
    responses: {
      200: {
        description: 'The picture.',
        headers: { ...etagHeader, 'Cache-Control': header('How long clients may keep it.') },
        content: { 'image/png': { schema: binary('The picture.') } },
      },
      ...notModifiedResponse,
      ...problemResponses(400, 404, 412, 504),
    },
  },
  async handle(c, deps) {
    const { version } = parseQuery(query, c);
    const templateId = pathId(c);
    const template = await findPreviewed(deps, c.get('accountId'), { templateId, version, which: 'current' });
    if (template.task.kind !== 'stored') throw new Error('the template is not stored');
    const { templateVersion, includes = [] } = template.task;
    noteRequest(c, { templateId, templateVersion });
    const { png, checksum } = await openThumbnail(c, deps, template, {
      templateId,
      version: templateVersion,
      includes,
    });
    const etag = toChecksumTag(checksum);
    const mayChange = version === undefined || includes.length > 0;
    const caching = mayChange ? 'private, no-cache' : 'private, max-age=31536000, immutable';
    const unchanged = notModified(c, etag);
    if (unchanged !== undefined) {
      unchanged.headers.set('Cache-Control', caching);
      return unchanged;
    }
    return c.body(new Uint8Array(png), 200, {
      'Content-Type': 'image/png',
      'Content-Length': String(png.length),
      'Cache-Control': caching,
      ETag: etag,
    });
  },
};

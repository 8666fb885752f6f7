import { z } from '@hono/zod-openapi';
import { setNextLink } from '../../http/cursor.ts';
import type { Operation } from '../../http/operation.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { invalidField } from '../../http/parse-request.ts';
import { plainLine } from '../../http/plain-text.ts';
import { cursorParam, limitParam, nextPageHeader, problemResponses } from '../common-schemas.ts';
import { fontSchema, toFontResource } from './font-resource.ts';

const query = z.object({
  limit: limitParam,
  cursor: cursorParam,
  name: plainLine(1, 200)
    .optional()
    .openapi({ description: 'Only fonts whose name contains this text, ignoring case.', example: 'Noto' }),
  script: z
    .string()
    .regex(/^[A-Z][a-z]{3}$/, 'must be a script such as Arab or Hans')
    .optional()
    .openapi({ description: 'Only fonts that cover this script (ISO 15924).', example: 'Arab' }),
});

export const listFontsOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/fonts',
    operationId: 'listFonts',
    summary: 'List fonts',
    description:
      'The font families with which PDFs are printed, by name. Empty while no worker that converts to PDF runs. The `Link` header (RFC 8288) points to the next page.',
    tags: ['Fonts'],
    request: { query },
    responses: {
      200: {
        description: 'Fonts.',
        headers: nextPageHeader,
        content: { 'application/json': { schema: z.array(fontSchema).openapi('FontList') } },
      },
      ...problemResponses(400),
    },
  },
  async handle(c, { config, fonts }) {
    const { limit, cursor, name, script } = parseQuery(query, c);
    const after = parsePosition(cursor);
    const wanted = name?.toLowerCase();
    const { families = [], workers = 0 } = (await fonts.list()) ?? {};
    const matching = families.filter(
      (family) =>
        (after === undefined || family.name > after) &&
        (wanted === undefined || family.name.toLowerCase().includes(wanted)) &&
        (script === undefined || family.scripts.includes(script)),
    );
    const page = matching.slice(0, limit);
    setNextLink(c, config.PUBLIC_URL, matching.length > limit ? page.at(-1)?.name : undefined);
    return c.json(page.map((family) => toFontResource(family, workers)));
  },
};

/** The name after which the page begins. */
function parsePosition(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const name = Buffer.from(cursor, 'base64url').toString();
  if (name === '' || Buffer.from(name).toString('base64url') !== cursor)
    throw invalidField('cursor', 'is not a cursor of this list');
  return name;
}

import { z } from '@hono/zod-openapi';
import { listFonts } from '../../../shared/domain/fonts/find-fonts.ts';
import { setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { invalidField } from '../../http/parse-request.ts';
import { plainLine } from '../../http/plain-text.ts';
import type { Operation } from '../../operation.ts';
import { cursorParam, limitParam, nextPageHeader, problemResponses } from '../common-schemas.ts';
import { fontSchema, toAccountFamilies, toFontResource } from './font-resource.ts';

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
  scope: 'templates:read',
  route: {
    method: 'get',
    path: '/v1/fonts',
    operationId: 'listFonts',
    summary: 'List fonts',
    description:
      'The font families with which PDFs of the account are printed, by name: installed ones, and those of its own fonts. Empty while no worker that converts to PDF runs. The `Link` header (RFC 8288) points to the next page.',
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
  async handle(c, { db, config, fonts }) {
    const { limit, cursor, name, script } = parseQuery(query, c);
    const after = parsePosition(cursor);
    const wanted = name?.toLowerCase();
    const { families = [], workers = 0 } = (await fonts.list()) ?? {};
    const own = await listFonts(db, { accountId: c.get('accountId'), limit: config.FONTS_PER_ACCOUNT, family: name });
    const matching = [
      ...families.map((family) => toFontResource(family, workers)),
      ...toAccountFamilies(own.fonts, workers),
    ].filter(
      (family) =>
        (after === undefined || positionOf(family) > after) &&
        (wanted === undefined || family.name.toLowerCase().includes(wanted)) &&
        (script === undefined || family.scripts.includes(script)),
    );
    const page = matching.sort((a, b) => (positionOf(a) < positionOf(b) ? -1 : 1)).slice(0, limit);
    const last = page.at(-1);
    setNextLink(c, config.PUBLIC_URL, matching.length > limit && last !== undefined ? positionOf(last) : undefined);
    return c.json(page);
  },
};

/** The sort key: by name, with a font of the account before an installed one of the same name. */
function positionOf({ name, scope }: z.infer<typeof fontSchema>): string {
  return scope === 'account' ? name : `${name}\u0001`;
}

/** The sort key after which the page begins. */
function parsePosition(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const name = Buffer.from(cursor, 'base64url').toString();
  if (name === '' || Buffer.from(name).toString('base64url') !== cursor)
    throw invalidField('cursor', 'is not a cursor of this list');
  return name;
}

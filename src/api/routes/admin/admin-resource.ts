import { z } from '@hono/zod-openapi';
import { isAddressRange } from '../../../shared/config/address-ranges.ts';
import { isDisplayName } from '../../../shared/display-name.ts';
import { AppError } from '../../../shared/errors.ts';
import { filledLine } from '../../http/plain-text.ts';
import { exampleId, idempotencyHeader, idParam, nextPageHeader, problemResponses } from '../common-schemas.ts';

const maxCount = 1_000_000_000;

/** What responses contain. */
export const text = (description: string) => z.string().openapi({ description });
export const number = (description: string) => z.number().openapi({ description });
export const flag = (description: string) => z.boolean().openapi({ description });
export const time = (description: string) => z.iso.datetime().openapi({ description });
export const accountId = text('Id of the account.');

/** What requests contain. */
export const count = (description: string, example: number) =>
  z.number().int().min(0).max(maxCount).openapi({ description, example });
export const futureTime = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2027-01-31T12:00:00Z' })
  .refine(
    (value) => Date.parse(value) > Date.now() && new Date(value).getUTCFullYear() < 10_000,
    'must be in the future',
  )
  .nullish()
  .openapi({ description: 'When it expires; by default never.' });
export const toDate = (value: string | null | undefined): Date | undefined =>
  value === null || value === undefined ? undefined : new Date(value);

export const displayName = filledLine(200)
  .refine(isDisplayName, 'must be visible text on one line, without control or invisible characters')
  .transform((name) => name.trim())
  .openapi({ description: 'A name for people.', example: 'Smith & Sons' });

export const addressRange = z
  .string()
  .max(50)
  .refine(isAddressRange, 'must be an IP address or a range such as 203.0.113.0/24');

/** The id of another resource in a body. */
export const idField = (prefix: string, description: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-z]{26}$`), `must be an id that begins with ${prefix}_`)
    .openapi({ description, example: exampleId(prefix) });

export const accountParams = z.object({ id: idParam('acc', 'Id of the account.') });
export const keyParams = z.object({ id: idParam('key', 'Id of the API key.') });

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: [string];
}

interface Body {
  readonly schema: z.ZodType;
}

/** A successful response with a named schema. */
export const ok = (description: string, schema: z.ZodType, status: 200 | 201 | 202 = 200) => ({
  [status]: { description, content: { 'application/json': { schema } } },
});

/** The route of an act. A POST takes an `Idempotency-Key`. */
export function actRoute(
  method: 'post' | 'put',
  path: string,
  described: Described,
  {
    params,
    body,
    responses,
  }: { readonly params?: z.ZodObject; readonly body?: Body['schema']; readonly responses: object },
) {
  const content = body && { body: { required: true, content: { 'application/json': { schema: body } } } };
  const headers = method === 'post' && { headers: idempotencyHeader };
  return {
    method,
    path,
    ...described,
    request: { ...(params && { params }), ...headers, ...content },
    responses: { ...responses, ...problemResponses(400, 404, 409, ...(body === undefined ? [] : ([415] as const))) },
  };
}

/** The route of a read. */
export function readRoute(
  path: string,
  described: Described,
  {
    params,
    query,
    responses,
  }: { readonly params?: z.ZodObject; readonly query?: z.ZodObject; readonly responses: object },
) {
  const own = [...(query === undefined ? [] : ([400] as const)), ...(params === undefined ? [] : ([404] as const))];
  return {
    method: 'get' as const,
    path,
    ...described,
    request: { ...(params && { params }), ...(query && { query }) },
    responses: { ...responses, ...problemResponses(...own) },
  };
}

/** The response of a paged list. */
export const page = (description: string, schema: z.ZodType) => ({
  200: { description, headers: nextPageHeader, content: { 'application/json': { schema } } },
});

/** Throws the error of a path whose id is malformed, so that every unknown id gets the same response. */
export function known(id: string, what: string): string {
  if (id === '') throw new AppError('not_found', `There is no such ${what}`);
  return id;
}

/** Both limits of e-mails, in an account and as a setting. */
export const emailLimitFields = {
  recipientsPerDay: number('Recipients in a day (UTC); null for the limit of the service, 0 for none.').nullable(),
  messagesPerRecipientPerDay: number('E-mails to one address in a day; null and 0 as above.').nullable(),
};

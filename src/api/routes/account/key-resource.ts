import { z } from '@hono/zod-openapi';
import { keyPrefix } from '../../../shared/domain/api-keys/api-key.ts';
import { type AccountKey, keyStatuses } from '../../../shared/domain/api-keys/find-account-keys.ts';
import { allRoles, isRole } from '../../../shared/domain/api-keys/roles.ts';
import { allScopes, generalScopes } from '../../../shared/domain/api-keys/scopes.ts';

const time = (description: string) => z.iso.datetime().openapi({ description });

const personSchema = z
  .object({
    provider: z.string().openapi({ description: 'Id of the provider by which the person signs in.' }),
    email: z.string().optional().openapi({ description: 'As the provider has it.' }),
    roles: z.array(z.enum(allRoles)).openapi({ description: 'At the last sign-in; none after a refused one.' }),
  })
  .openapi('AccountPerson');

export const keySchema = z
  .object({
    id: z.string().openapi({ description: 'Id of the key, as in `groupBy=key` of the usage.' }),
    account: z
      .object({
        id: z.string().openapi({ description: 'Id of the account.' }),
        name: z.string().openapi({ description: 'What the operator called it.' }),
      })
      .openapi('KeyAccount')
      .openapi({ description: 'The account of the key.' }),
    name: z
      .string()
      .optional()
      .openapi({ description: 'The name that the operator gave it. For people who sign in: their name.' }),
    person: personSchema.optional().openapi({ description: 'Somebody who signs in to the console; absent for a key.' }),
    ownerId: z
      .string()
      .optional()
      .openapi({ description: 'The person who is responsible for the key; absent if it has no owner.' }),
    prefix: z.string().openapi({ description: 'How the key begins, to recognise it. It is no secret.' }),
    kind: z.enum(['live', 'test']).openapi({ description: '`test`: its documents are free and have a watermark.' }),
    status: z.enum(keyStatuses).openapi({ description: 'Only an `active` key is accepted.' }),
    scopes: z.array(z.enum(allScopes)).openapi({ description: 'What the key may do.' }),
    hasAllScopes: z.boolean().openapi({
      description:
        'Whether the key was created without a list of scopes: it has all but `templates:approve` and `templates:override`, those of later releases too.',
    }),
    budget: z
      .object({
        docsPerMonth: z.number().int().openapi({ description: 'Documents it may request in a calendar month (UTC).' }),
        remaining: z.number().int().openapi({ description: 'What is left of them in this month.' }),
      })
      .openapi('AccountKeyBudget')
      .optional()
      .openapi({ description: 'Absent when the quota of the account is the only limit.' }),
    createdAt: time('When it was created.'),
    expiresAt: time('When it expires, or expired; absent for one that does not.').optional(),
    revokedAt: time('When it was revoked.').optional(),
    previousSecretUntil: time('Until when the secret before the last rotation works, too.').optional(),
    lastUsedAt: time('The last request with the key, recorded within 10 seconds.').optional(),
  })
  .openapi('AccountKey');

export function toKeyResource(key: AccountKey): z.infer<typeof keySchema> {
  const {
    name,
    scopes,
    provider,
    email,
    roles,
    ownerId,
    docsPerMonth,
    docsThisMonth,
    expiresAt,
    revokedAt,
    previousSecretUntil,
    lastUsedAt,
  } = key;
  return {
    id: key.id,
    account: key.account,
    ...(name !== null && { name }),
    ...(provider !== null && {
      person: { provider, ...(email !== null && { email }), roles: (roles ?? []).filter(isRole) },
    }),
    ...(ownerId !== null && { ownerId }),
    prefix: keyPrefix(key.publicId, key.isTest),
    kind: key.isTest ? 'test' : 'live',
    status: key.status,
    scopes: [...(scopes ?? generalScopes)],
    hasAllScopes: scopes === null,
    ...(docsPerMonth !== null && {
      budget: { docsPerMonth, remaining: Math.max(0, docsPerMonth - (docsThisMonth ?? 0)) },
    }),
    createdAt: key.createdAt.toISOString(),
    ...(expiresAt !== null && { expiresAt: expiresAt.toISOString() }),
    ...(revokedAt !== null && { revokedAt: revokedAt.toISOString() }),
    ...(previousSecretUntil !== null && { previousSecretUntil: previousSecretUntil.toISOString() }),
    ...(lastUsedAt !== null && { lastUsedAt: lastUsedAt.toISOString() }),
  };
}

import { z } from '@hono/zod-openapi';
import { allScopes } from '../../../shared/domain/api-keys/scopes.ts';
import { flag, number, text, time } from './admin-resource.ts';

const scopes = z.array(z.enum(allScopes)).nullable().openapi({ description: 'Its scopes; null for all of them.' });

export const keyFields = {
  keyId: text('Id of the API key.'),
  name: text('What the operator called it.').nullable(),
  scopes,
  isTest: flag('Whether its documents are free and have a watermark.'),
  expiresAt: time('When it expires.').nullable(),
  ownerId: text('The person who is responsible for it; null if it has no owner.').nullable(),
};

export const adminKeySchema = z
  .object({
    ...keyFields,
    createdAt: time('When it was created.'),
    revokedAt: time('When it was revoked.').nullable(),
    previousSecretUntil: time('Until when the secret before the last rotation works, too.').nullable(),
    docsPerMonth: number('Documents it may request in a calendar month (UTC); null for no budget.').nullable(),
    provider: text('The provider by which a person signs in; null for a key.').nullable(),
    email: text('The e-mail address of its user, for people who sign in.').nullable(),
    roles: z.array(z.string()).nullable().openapi({ description: 'The roles of its user at the last sign-in.' }),
  })
  .openapi('AdminKey');

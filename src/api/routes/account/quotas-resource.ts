import { z } from '@hono/zod-openapi';

const amounts = z
  .object({
    docs: z.number().int().openapi({ description: 'Documents.', example: 1000 }),
    templates: z.number().int().openapi({ description: 'Templates.', example: 50 }),
  })
  .openapi('QuotaAmounts');
const balance = z.object({ subscriptions: amounts, credits: amounts, total: amounts }).openapi('QuotaBalance');
export const quotasSchema = z.object({ allocated: balance, remaining: balance }).openapi('Quotas');

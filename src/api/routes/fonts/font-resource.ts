import { z } from '@hono/zod-openapi';
import type { AnnouncedFamily } from '../../../shared/storage/font-registry.ts';

export const fontSchema = z
  .object({
    name: z.string().openapi({ description: 'Name of the family.', example: 'Noto Sans Thai' }),
    scope: z.enum(['installed']).openapi({ description: '`installed` on the workers, for all accounts.' }),
    styles: z.array(z.string()).openapi({ description: 'Its styles, sorted.', example: ['Bold', 'Regular'] }),
    scripts: z.array(z.string()).openapi({
      description: 'The scripts that it covers (ISO 15924), sorted. `Zsye` is emoji.',
      example: ['Thai'],
    }),
    version: z.string().optional().openapi({ description: 'Version of the font files.', example: '2.042' }),
    workers: z.number().int().openapi({ description: 'Workers that have it.', example: 3 }),
    complete: z.boolean().openapi({
      description: 'Whether all workers have it. Otherwise documents differ with the worker that makes them.',
    }),
  })
  .openapi('Font');

export function toFontResource(family: AnnouncedFamily, allWorkers: number): z.infer<typeof fontSchema> {
  const { name, styles, scripts, version, workers } = family;
  return {
    name,
    scope: 'installed',
    styles: [...styles],
    scripts: [...scripts],
    ...(version !== undefined && { version }),
    workers,
    complete: workers === allWorkers,
  };
}

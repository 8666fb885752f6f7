import { z } from '@hono/zod-openapi';
import type { VersionRecord } from '../../../shared/domain/templates/find-version.ts';

export const versionSchema = z
  .object({
    version: z.number().int(),
    size: z.number().int(),
    checksum: z.string(),
    tags: z.array(z.string()),
    createdAt: z.iso.datetime(),
    current: z.boolean().openapi({ description: 'Is it the version that generate uses when none is named?' }),
  })
  .openapi('TemplateVersion');

export function toVersion(version: VersionRecord): z.infer<typeof versionSchema> {
  return {
    version: version.version,
    size: version.sizeBytes,
    checksum: version.checksum,
    tags: [...version.tags],
    createdAt: version.createdAt.toISOString(),
    current: version.isCurrent,
  };
}

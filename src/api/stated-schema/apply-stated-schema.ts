import type { DataSchema } from '../../shared/data-schema.ts';
import type { InspectionReply } from '../../shared/queue/document-reply.ts';
import { mergeSchema } from './merge-schema.ts';

const maxListed = 50;

/** The result of an inspection with what the author states about the schema, and a warning about names without a tag. */
export function applyStatedSchema(inspection: InspectionReply, stated: DataSchema | undefined): InspectionReply {
  if (stated === undefined) return inspection;
  const known = new Set(inspection.tags.flatMap((tag) => [tag, ...tag.split('.')]));
  const unused = [...new Set(namesIn(stated))].filter((name) => !known.has(name)).slice(0, maxListed);
  const message = `The stated schema has names that no tag uses: ${unused.join(', ')}.`;
  const warnings = unused.length === 0 ? [] : [{ code: 'stated_name_unused', message, paths: unused }];
  return { ...inspection, ...mergeSchema(inspection, stated), warnings: [...inspection.warnings, ...warnings] };
}

function namesIn({ properties = {}, items, anyOf = [] }: DataSchema): readonly string[] {
  const inner = [...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])];
  return [...Object.keys(properties), ...inner.flatMap(namesIn)];
}

import type { Findings } from '../findings.ts';
import { extensionNamespace, readExtensionSchemas } from './extension-schemas.ts';
import type { Xmp } from './read-xmp.ts';
import { predefinedSchemas } from './xmp-schemas.ts';
import { hasType } from './xmp-types.ts';

/** Checks that each property is predefined or described, and has a value of its type. */
export function checkProperties(xmp: Xmp, { report }: Findings): void {
  const { schemas, types, faults } = readExtensionSchemas(xmp);
  for (const fault of new Set(faults)) report('metadata-description', fault);
  for (const { namespace, name, prefix, value } of xmp.properties) {
    if (namespace === extensionNamespace) continue;
    const type = predefinedSchemas.get(namespace)?.get(name) ?? schemas.get(namespace)?.get(name);
    const place = `${prefix}:${name}`;
    if (type === undefined) report('metadata-schema', place);
    else if (hasType(value, type, types) !== true) report('metadata-value', place);
  }
}

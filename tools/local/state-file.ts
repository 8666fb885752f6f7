import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** A JSON file of this folder, or undefined when it is missing or not what it should be, as a crash may leave it. */
export function readStateFile<T extends z.ZodType>(file: string, schema: T): z.infer<T> | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

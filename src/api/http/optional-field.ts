import { z } from '@hono/zod-openapi';

/** An optional field of a request body: `null` means the same as an absent field. */
export function optionalField<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value): z.output<T> | undefined => value ?? undefined);
}

/**
 * Like `optionalField`, but for a schema with a name in the OpenAPI document: `nullish` would change the named schema.
 */
export function optionalObject<T extends z.ZodType>(schema: T) {
  return z
    .union([schema, z.null()])
    .optional()
    .transform((value): z.output<T> | undefined => value ?? undefined);
}

/** A field of a request body with a default value, which applies when the field is absent or `null`. */
export function defaultField<T extends z.ZodType>(schema: T, defaultValue: z.output<T>) {
  return schema.nullish().transform((value): z.output<T> => value ?? defaultValue);
}

// Adds to every field of a schema the description of its name, unless the field has one of its own.
import type { TObject, TSchema } from 'typebox'
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts'

interface Parts {
  readonly description?: string
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly patternProperties?: Readonly<Record<string, TSchema>>
}

/** The schema with descriptions in all its fields, nested ones included. */
export function described<S extends TSchema>(schema: S, name = ''): S {
  const { description = FIELD_DESCRIPTIONS[name], properties, items, patternProperties } = schema as Parts
  const each = (fields: Readonly<Record<string, TSchema>>, named: boolean): Record<string, TSchema> =>
    Object.fromEntries(
      Object.entries(fields).map(([key, field]) => [key, described(field, named ? key : '')]),
    )
  return {
    ...schema,
    ...(description !== undefined && { description }),
    ...(properties && { properties: each(properties, true) }),
    ...(items && { items: described(items) }),
    ...(patternProperties && { patternProperties: each(patternProperties, false) }),
  }
}

/** Names that a caller must give; a parameter with a default is not one of them. */
export function requiredNames({ required, properties }: TObject): Set<string> {
  return new Set(
    (required as string[] | undefined)?.filter(
      (name) => !('default' in ((properties as Record<string, object>)[name] ?? {})),
    ),
  )
}

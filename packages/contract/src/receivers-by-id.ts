// The four operations of a kind of receiver that is known apart by its id: add, list, remove, and a test before or after.
import Type, { type TProperties, type TSchema } from 'typebox'
import { flock_id, text } from './fields.ts'
import { Nothing, post, type Example } from './operation.ts'
import { Attention } from './records/attention.ts'
import { changeFlock, readFlock, theDefault } from './switches.ts'

const webhook_id = Type.String({ maxLength: 64 })

interface Kind<P extends TProperties, A extends TSchema> {
  /** The folder of the kind. */
  readonly kind: string
  /** What one is called in titles, with its article, and several are. */
  readonly one: string
  readonly many: string
  readonly params: P
  readonly answer: A
  readonly example: Example
}

export function receiversById<P extends TProperties, A extends TSchema>({
  kind,
  one,
  many,
  params,
  answer,
  example,
}: Kind<P, A>) {
  const path = `/flock/settings/webhooks/${kind}`
  return {
    add: post(
      `${path}/add`,
      'admin',
      'flock',
      `Add ${one}`,
      { flock_id, ...params, ...Attention },
      Type.Object({ webhook_id: text }),
      { settings: 'flock', example: { ...theDefault, ...example } },
    ),
    list: readFlock(`${path}/list`, `List ${many}`, answer),
    remove: changeFlock(
      `${path}/remove`,
      `Remove ${one}`,
      { flock_id, webhook_id },
      { webhook_id: `{${kind}_id}` },
    ),
    test: post(
      `${path}/test`,
      'admin',
      'flock',
      `Send a test alert to ${one}, before it is added or as it is`,
      { flock_id, webhook_id: Type.Optional(webhook_id), ...optional(params) },
      Nothing,
      { example: { ...theDefault, ...example } },
    ),
  }
}

/** Each parameter may be left out. */
const optional = <P extends TProperties>(params: P) =>
  Object.fromEntries(
    Object.entries(params).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as unknown as { [Name in keyof P]: ReturnType<typeof Type.Optional<P[Name]>> }

// A token as the API shows it (2.9).
import Type from 'typebox'
import { count, flag, text } from '../fields.ts'

export const decoytoken = Type.String({ maxLength: 64 })

export const kind = Type.String({ maxLength: 64, says: { tooLong: 'Supplied kind is not valid.' } })

export const custom_domain = Type.Optional(
  Type.String({
    description: 'Domain of the URL and the host name; default: the domain of the console',
    maxLength: 2048,
  }),
)

/** The fields of other kinds are left out. */
export const Token = Type.Object({
  decoytoken: text,
  created: Type.String({ description: 'When it was made, epoch seconds with six decimals' }),
  created_printable: text,
  enabled: flag,
  flock_id: text,
  hostname: text,
  key: Type.String({ description: '`decoydrop:` and its id' }),
  kind: text,
  memo: text,
  renders: Type.Record(text, text),
  triggered_count: count,
  updated_id: count,
  url: text,
})

/** As its maker sees it. */
export const CreatedToken = Type.Object({
  ...Token.properties,
  factory_auth: Type.Optional(
    Type.String({ description: 'The factory that made it; absent when an API key did' }),
  ),
})

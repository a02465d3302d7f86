// A token as the API shows it (2.9).
import Type from 'typebox'
import { commaList, count, flag, forceWide, text } from '../fields.ts'

export const decoytoken = Type.String({ maxLength: 64 })

export const kind = Type.String({ maxLength: 64, says: { tooLong: 'Supplied kind is not valid.' } })

export const custom_domain = Type.Optional(
  Type.String({
    description: 'Domain of the URL and the host name; default: the domain of the console',
    maxLength: 2048,
  }),
)

/** What every kind takes besides its own settings: how the touches of one token are treated. */
export const tokenCare = {
  quiet_sources: Type.Optional({
    ...commaList,
    description:
      'Addresses and CIDR ranges, at most 100, whose touches are recorded as quiet and raise nothing, such as a backup server; separated by commas or newlines, # starts a comment',
  }),
  force: forceWide,
  first_only: Type.Optional({
    ...flag,
    description:
      'After its first incident, further touches from any source join that and are counted, also once it is acknowledged; nothing is alerted until the incident is deleted',
  }),
  placement: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description:
        'Where the token was put, such as a path on a host: shown in its alerts, and found by search',
    }),
  ),
}

/** A token as every reader sees it. */
export const Token = Type.Object({
  decoytoken: text,
  created: Type.String({ description: 'Time of creation, epoch seconds with six decimals' }),
  created_printable: text,
  enabled: flag,
  first_only: Type.Boolean({ description: 'Whether further touches join its first incident' }),
  flock_id: text,
  hostname: text,
  key: Type.String({ description: '`decoydrop:` and the id of the token' }),
  kind: text,
  last_triggered: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'When a touch last raised or joined an incident, epoch seconds; null for never, and for one before the console noted it',
  }),
  memo: text,
  node_id: Type.String({ description: 'Id of the token, as its incidents have it' }),
  placement: Type.String({ description: 'Where the token was put; empty where nobody said' }),
  placement_at: Type.String({ description: 'When that was said, as readable text; empty for never' }),
  placement_by: Type.String({ description: 'Id of the key that said it; empty for none' }),
  quiet_sources: Type.String({ description: 'Sources whose touches are quiet; empty for none' }),
  renders: Type.Record(text, text),
  triggered_count: count,
  updated_id: count,
  url: text,
})

/** As the answer of its creation shows it. */
export const CreatedToken = Type.Object({
  ...Token.properties,
  access_key_id: Type.Optional(
    Type.String({ description: 'Id of the access key in its artefact; absent if its kind has none' }),
  ),
  secret_access_key: Type.Optional(
    Type.String({ description: 'The secret of that access key; absent if its kind has none' }),
  ),
  username: Type.Optional(
    Type.String({ description: 'Name to sign in with in its artefact; absent if its kind has none' }),
  ),
  factory_auth: Type.Optional(
    Type.String({ description: 'Key of the factory that created it; absent if an API key did' }),
  ),
})

/** The answer of a token's creation. */
export const Created = Type.Object({
  decoytoken: CreatedToken,
  warnings: Type.Optional(
    Type.Array(text, {
      description:
        'Why its touches may never come in, in sentences; absent if nothing is known to hinder them',
    }),
  ),
})

/** A touch of a token, as its history shows it. */
export const TokenTouch = Type.Object({
  timestamp: Type.Integer({ description: 'When it happened, epoch seconds' }),
  timestamp_std: text,
  quiet: Type.Boolean({ description: 'Whether it raised no incident and no alert' }),
  reason: Type.String({ description: 'Why it is quiet; empty for a touch that raised an incident' }),
  incident: Type.Union([text, Type.Null()], { description: 'Key of its incident; null for a quiet touch' }),
  event: Type.Record(text, Type.Unknown(), { description: 'The keys of the event' }),
})

// A provider that issues what some kinds of tokens plant, and reports its use.
import Type from 'typebox'
import { text } from '../fields.ts'

export const TokenProvider = Type.Object({
  provider: Type.String({ description: 'Its name, such as slack' }),
  name: Type.String({ description: 'Its display name' }),
  kinds: Type.Array(text, { description: 'Kinds of tokens that use it' }),
  configured: Type.Boolean({ description: 'Whether every option that it needs is set' }),
  missing: Type.Array(text, { description: 'Options that it needs, and that are not set' }),
  feed_url: Type.String({
    description: 'Where it sends events to; empty where the console asks for them. Keep it secret',
  }),
  last_feed: Type.Union([Type.Integer(), Type.Null()], {
    description: 'When its events were last known to come in, epoch seconds; null for never',
  }),
  last_feed_std: Type.String({ description: 'The same as text; empty for never' }),
  error: Type.String({ description: 'Why its events cannot be read at present; empty for no reason' }),
  tokens: Type.Integer({ minimum: 0, description: 'Tokens that use it' }),
  revoking: Type.Integer({
    minimum: 0,
    description: 'Resources of deleted tokens that it has still to revoke',
  }),
})

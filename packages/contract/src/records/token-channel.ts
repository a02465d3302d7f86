// A channel by which tokens are met, and what is missing for it.
import Type from 'typebox'
import { text } from '../fields.ts'

const instant = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description}, epoch seconds; null for never` })

export const TokenChannel = Type.Object({
  channel: Type.String({ description: 'Its name, such as dns' }),
  listens: Type.String({ description: '`host:port` of its listener; empty while it is closed' }),
  named: Type.String({
    description: 'What artefacts name: a base address, a zone, or host:port; empty while it is switched off',
  }),
  kinds: Type.Array(text, { description: 'Kinds of tokens that need it' }),
  touched: instant('When a token was last touched by it'),
  touched_std: Type.String({ description: 'The same as text; empty for never' }),
  reached: instant('When a request from another machine last came, with or without a token'),
  reached_std: Type.String({ description: 'The same as text; empty for never' }),
  reached_from: Type.String({ description: 'Where that request came from; empty for none' }),
  certificate: Type.String({
    description: 'Whose certificates it serves, and until when; empty for a channel without them',
  }),
  missing: Type.Array(text, { description: 'What keeps touches from coming in, in sentences' }),
})

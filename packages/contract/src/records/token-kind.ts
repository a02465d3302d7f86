// A kind of tokens, as a gallery and a form show it.
import Type from 'typebox'
import { count, text } from '../fields.ts'

const maybe = Type.Optional

const KindField = Type.Object({
  name: Type.String({ description: 'The parameter of `decoytoken/create`' }),
  type: Type.Unsafe<'text' | 'url' | 'boolean' | 'file' | 'domain' | 'choice' | 'list' | 'duration'>({
    type: 'string',
    description:
      'text, url, boolean, file, domain, choice, list (separated by commas) or duration (such as `12h` or `30d`)',
  }),
  description: Type.String({ description: 'One line, without a full stop' }),
  required: Type.Boolean({ description: 'Whether a token needs it' }),
  secret: Type.Boolean({ description: 'Whether it is never shown again' }),
  default: Type.Union([Type.String(), Type.Boolean(), Type.Null()], {
    description: 'What an absent one is; null for nothing',
  }),
  choices: maybe(Type.Array(text, { description: 'Of a choice: its values' })),
  max_length: maybe({ ...count, description: 'Of a text: characters' }),
  max_items: maybe({ ...count, description: 'Of a list: entries' }),
  max_bytes: maybe({ ...count, description: 'Of a file: bytes' }),
  formats: maybe(Type.Array(text, { description: 'Of a file: what it may be, by its bytes' })),
  min: maybe(Type.String({ description: 'Of a duration: the shortest' })),
  max: maybe(Type.String({ description: 'Of a duration: the longest' })),
})

export const TokenKindFacts = Type.Object({
  name: Type.String({ description: 'Display name' }),
  shelf: Type.String({ description: 'The heading of the gallery under which it stands' }),
  keywords: Type.Array(text, { description: 'What people type to find it, in lower case' }),
  fired_by: Type.String({ description: 'What fires it, in sentences' }),
  silenced_by: Type.String({ description: 'What keeps it silent, in sentences' }),
  placement: Type.Array(text, { description: 'Where to put it: up to three places, each a sentence' }),
  fields: Type.Array(KindField, { description: 'What it takes besides the common parameters' }),
  has_file: Type.Boolean({ description: 'Whether it has a file to download' }),
  ignores_sites: Type.Boolean({ description: 'Whether it has a list of sites where a copy raises nothing' }),
  takes_provider_metadata: Type.Boolean({
    description: 'Whether it takes the metadata of an identity provider',
  }),
  command: Type.String({
    description:
      'A line of sh that fires it on the machine of the console; `{url}`, `{renders.login}` and the like stand for fields of the token',
  }),
  command_file: Type.String({
    description: 'The name by which the command finds the file of the token; empty where it needs none',
  }),
  can_create: Type.Boolean({
    description: 'Whether one can be made here: the provider that it needs is set',
  }),
  lacks: Type.Array(text, {
    description: 'What its provider and its channels lack here, in sentences with the option to set',
  }),
})

// 4.10: sites where a copy of a page raises nothing.
import Type from 'typebox'
import { flock_id } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'
import { decoytoken } from '../records/token.ts'

const theToken = { flock_id, decoytoken }
const example = { flock_id: 'flock:default', decoytoken: '{site_token}' }
const list = '/decoytokens/clonedsite/ignorelist'
const switchTo = (verb: string, title: string) =>
  post(`${list}/${verb}`, 'admin', 'flock', title, theToken, Nothing, { example })

export const clonedSiteIgnores = group(
  'Cloned-site ignore list',
  'A copy of a page raises nothing where a regular expression of the list is found in its host or in its whole address.',
  {
    disable: switchTo('disable', 'Disable the list of a token'),
    enable: switchTo('enable', 'Enable the list of a token'),
    fetch: get(
      `${list}/fetch`,
      'read-only',
      'flock',
      'Read the list of a token',
      theToken,
      Type.Object({
        ignore_lists: Type.Object(
          {
            enabled: Type.String({ description: '`True` or `False`' }),
            ignores: Type.String({ description: 'Regular expressions, separated by commas' }),
          },
          { description: 'The list of the token' },
        ),
      }),
      { example },
    ),
    save: post(
      `${list}/save`,
      'admin',
      'flock',
      'Replace the list of a token; without expressions the list is empty',
      {
        ...theToken,
        ignores: Type.Optional(
          Type.String({
            maxLength: 16_384,
            description:
              'Regular expressions in the syntax of RE2, separated by commas outside brackets; at most 100',
          }),
        ),
      },
      Nothing,
      { example: { ...example, ignores: '^staging\\.,\\.example\\.net$' } },
    ),
  },
)

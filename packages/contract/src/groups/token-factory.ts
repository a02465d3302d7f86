// 4.11: keys that can only create tokens in one Flock, and the tokens that they create.
import Type from 'typebox'
import { flock_id, memo, secret, text } from '../fields.ts'
import { del, get, group, Nothing, post } from '../operation.ts'
import { exampleKind, kindSettings } from '../records/kind-settings.ts'
import { Created, custom_domain, decoytoken, kind, tokenCare } from '../records/token.ts'

const factory_auth = secret(Type.String({ maxLength: 64 }))

const Factory = Type.Object({ factory_auth: text, flock_id: text, memo: text })

export const tokenFactory = group(
  'Token factory',
  'A token factory is a key that can only create and download tokens in one Flock.',
  {
    listKinds: get(
      '/decoytokens/factory/list',
      'read-only',
      'everybody',
      'List the kinds of tokens',
      {},
      Type.Object({
        factory_decoytokens: Type.Record(text, text),
      }),
    ),
    create: post(
      '/decoytoken/factory/create',
      'factory',
      'flock',
      'Create a token',
      {
        factory_auth: Type.Optional(factory_auth),
        memo,
        kind,
        flock_id: Type.Optional({
          ...flock_id,
          description: 'Flock of the token; default: the Flock of the factory',
        }),
        custom_domain,
        ...tokenCare,
        ...kindSettings,
      },
      Created,
      {
        example: {
          factory_auth: '{factory_auth}',
          memo: 'Backup script on the file server',
          kind: exampleKind,
        },
      },
    ),
    download: get(
      '/decoytoken/factory/download',
      'factory',
      'flock',
      'Download the file of a token',
      { factory_auth: Type.Optional(factory_auth), decoytoken },
      Nothing,
      {
        answers: 'file',
        example: { factory_auth: '{factory_auth}', decoytoken: '{file_token}' },
      },
    ),
    createFactory: post(
      '/decoytoken/create_factory',
      'admin',
      'flock',
      'Create a token factory',
      { flock_id, memo },
      Type.Object({ factory_auth: text, factory_url: text }),
      { stepUp: true, example: { flock_id: 'flock:default', memo: 'Image build' } },
    ),
    deleteFactory: del(
      '/decoytoken/delete_factory',
      'admin',
      'flock',
      'Delete a token factory; its tokens stay',
      { factory_auth },
      Type.Object({ msg: text }),
      { example: { factory_auth: '{factory_auth}' } },
    ),
    listFactories: get(
      '/decoytoken/list_factories',
      'admin',
      'flock',
      'List the token factories',
      {},
      Type.Object({ factories: Type.Array(Factory) }),
      { stepUp: true },
    ),
  },
)

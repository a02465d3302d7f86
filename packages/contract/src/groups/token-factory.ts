// 4.11: limited-use keys that plant tokens in one Flock, and what they plant.
import Type from 'typebox'
import { count, flag, flock_id, memo, secret, text, upload, withDefault } from '../fields.ts'
import { del, get, group, Nothing, post } from '../operation.ts'

const factory_auth = secret(Type.String({ maxLength: 64 }))
const decoytoken = Type.String({ maxLength: 64 })
const line = (description: string) => Type.Optional(Type.String({ description, maxLength: 2048 }))
const file = (description: string) => Type.Optional({ ...upload, description })

/** 2.9: what was made; the fields of other kinds are left out. */
const CreatedToken = Type.Object({
  decoytoken: text,
  created: Type.String({ description: 'When it was made, epoch seconds with six decimals' }),
  created_printable: text,
  enabled: flag,
  factory_auth: Type.Optional(
    Type.String({ description: 'The factory that made it; absent when an API key did' }),
  ),
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

const Factory = Type.Object({ factory_auth: text, flock_id: text, memo: text })

export const tokenFactory = group(
  'Token factory',
  'Limited-use keys that plant tokens in one Flock, and what they plant.',
  {
    listKinds: get(
      '/decoytokens/factory/list',
      'read-only',
      'List the kinds of tokens',
      {},
      Type.Object({
        factory_decoytokens: Type.Record(text, text),
      }),
    ),
    create: post(
      '/decoytoken/factory/create',
      'factory',
      'Make a token',
      {
        factory_auth: Type.Optional(factory_auth),
        memo,
        kind: Type.String({
          maxLength: 64,
          says: { tooLong: 'Supplied kind is not valid.' },
        }),
        flock_id: Type.Optional({ ...flock_id, description: 'Default: the Flock of the factory' }),
        custom_domain: line('Domain to use in the URL and the host name instead of the console’s'),
        browser_scanner_enabled: withDefault(flag, true),
        browser_redirect_url: line('Required for fast-redirect and slow-redirect'),
        web_image: file('Required for web-image'),
        cloned_web: line('Domain; required for cloned-web'),
        expected_referrer: line('For cloned-css and cloud-b-login'),
        expiry: line('Units y, mo, w, d, h; for cloud-a-id'),
        exe: file('Required for signed-exe'),
        doc: file('Word document; for doc-wordproc'),
        pdf: file('For pdf-reader'),
        idp_app_type: line('For the identity-provider app'),
        process_name: line('Required for sensitive-cmd'),
        pwa_app_name: line('For pwa'),
        pwa_icon: line('For pwa'),
        azure_id_cert_file_name: line('Required for cloud-b-id'),
        tokened_usernames: line('Separated by commas; required for directory-login'),
      },
      Type.Object({ decoytoken: CreatedToken }),
      {
        example: {
          params: { factory_auth: '{factory_auth}', memo: 'Backup script on the file server', kind: 'http' },
        },
      },
    ),
    download: get(
      '/decoytoken/factory/download',
      'factory',
      'Download the file of a token',
      { factory_auth: Type.Optional(factory_auth), decoytoken },
      Nothing,
      {
        answers: 'file',
        example: { params: { factory_auth: '{factory_auth}', decoytoken: '{file_token}' } },
      },
    ),
    createFactory: post(
      '/decoytoken/create_factory',
      'admin',
      'Make a key that can only make and download tokens in one Flock',
      { flock_id, memo },
      Type.Object({ factory_auth: text, factory_url: text }),
      { example: { params: { flock_id: 'flock:default', memo: 'Image build' } } },
    ),
    deleteFactory: del(
      '/decoytoken/delete_factory',
      'admin',
      'Delete a factory; its tokens stay',
      { factory_auth },
      Type.Object({ msg: text }),
      { example: { params: { factory_auth: '{factory_auth}' } } },
    ),
    listFactories: get(
      '/decoytoken/list_factories',
      'admin',
      'List the factories',
      {},
      Type.Object({ factories: Type.Array(Factory) }),
    ),
  },
)

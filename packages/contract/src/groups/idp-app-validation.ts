// 4.3: which assertions fire a token of the kind idp-app.
import Type from 'typebox'
import { upload } from '../fields.ts'
import { group, Nothing, post } from '../operation.ts'
import { decoytoken } from '../records/token.ts'

const example = { decoytoken: '{provider_token}' }
const switchTo = (verb: string, title: string) =>
  post(`/decoytokens/idp-app/validation/${verb}`, 'admin', 'flock', title, { decoytoken }, Nothing, {
    example,
  })

export const idpAppValidation = group(
  'Identity-provider app validation',
  'With the metadata of the identity provider and validation, assertions fire only if the provider made them and their time has not passed. Without either, every assertion fires.',
  {
    disable: switchTo('disable', 'Disable validation: every assertion fires'),
    enable: switchTo('enable', 'Enable validation: assertions that the metadata does not prove are quiet'),
    saveMetadata: post(
      '/decoytokens/idp-app/metadata/save',
      'admin',
      'flock',
      'Save the metadata of the identity provider; without a file it is forgotten',
      {
        decoytoken,
        metadata: Type.Optional({
          ...upload,
          description: 'Metadata of SAML 2.0 with one identity provider, in XML of at most 512 KiB',
        }),
      },
      Type.Object({
        metadata_entity_id: Type.String({
          description: 'The `entityID` of the identity provider; empty without a file',
        }),
      }),
      { example },
    ),
  },
)

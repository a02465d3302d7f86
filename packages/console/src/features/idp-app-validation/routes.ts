// 4.3: the metadata by which a token of the kind idp-app validates assertions, and whether it does.
import { idpAppValidation } from '@rookery/contract/groups/idp-app-validation.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault, required } from '@rookery/kernel/fault.ts'
import { metadataSetting, readMetadata, validationSetting } from '@rookery/tokens/saml/metadata.ts'
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import type { Query } from '../../db/query.ts'
import { kindNamed } from '../../flows/tokens/kinds.ts'
import type { Call } from '../../http/call.ts'
import { changeToken, findToken } from '../../stores/tokens/store.ts'

export function idpAppValidationRoutes(): Route<Call>[] {
  /** The next assertion is judged by the change. */
  const change = (decoytoken: string, call: Call, changed: TokenSettings) =>
    call.change(async (tx) => {
      const settings = { ...(await settingsOf(tx.query, decoytoken, call)), ...changed }
      const updated_id = await tx.updatedIds(1)
      await changeToken(tx.query, decoytoken, { settings: JSON.stringify(settings), updated_id })
      await tx.configChanged()
      return {}
    })

  return implement(idpAppValidation, {
    disable: ({ decoytoken }, call: Call) => change(decoytoken, call, validationSetting(false)),
    enable: ({ decoytoken }, call: Call) => change(decoytoken, call, validationSetting(true)),
    async saveMetadata({ decoytoken, metadata }, call: Call) {
      const read = metadata && readMetadata(metadata.bytes)
      await change(decoytoken, call, metadataSetting(read))
      return { metadata_entity_id: read?.entityId ?? '' }
    },
  })
}

/** The settings of the token; `bad-input` for a kind without assertions. */
async function settingsOf(db: Query, decoytoken: string, { caller }: Call): Promise<TokenSettings> {
  const { kind, settings } = required(
    await findToken(db, caller.scope, decoytoken),
    'Could not find the decoytoken',
  )
  if (kindNamed(kind).descriptor.takesProviderMetadata) return JSON.parse(settings) as TokenSettings
  throw new Fault('bad-input', 'Parameter decoytoken was invalid.', {
    details: { decoytoken: `is of the kind ${kind}, which takes no assertions` },
  })
}

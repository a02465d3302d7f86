// 4.3: the metadata by which a token of the kind idp-app validates assertions, and whether it does.
import { idpAppValidation } from '@rookery/contract/groups/idp-app-validation.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { metadataSetting, readMetadata, validationSetting } from '@rookery/tokens/saml/metadata.ts'
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import type { Query } from '../../db/query.ts'
import { changeSettings } from '../../flows/tokens/change-settings.ts'
import { kindNamed } from '../../flows/tokens/kinds.ts'
import type { Call } from '../../http/call.ts'
import { existingToken, type TokenRow } from '../../stores/tokens/store.ts'

export function idpAppValidationRoutes(): Route<Call>[] {
  const change = (decoytoken: string, call: Call, changed: TokenSettings) =>
    call.change(async (tx) => {
      await changeSettings(tx, await tokenOf(tx.query, decoytoken, call), changed)
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

/** The token; `bad-input` for a kind without assertions. */
async function tokenOf(db: Query, decoytoken: string, { caller }: Call): Promise<TokenRow> {
  const row = await existingToken(db, caller.scope, decoytoken)
  if (kindNamed(row.kind).descriptor.takesProviderMetadata) return row
  throw invalidParameter('decoytoken', `is of the kind ${row.kind}, which takes no assertions`)
}

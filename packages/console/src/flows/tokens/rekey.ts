// Secrets of tokens under another master key: those among their settings, and what providers issued for them.
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import type { Tx } from '../../db/query.ts'
import type { Vault } from '../../secrets/vault.ts'
import { changeToken, tokensOfKind } from '../../stores/tokens/store.ts'
import { openIssued, sealIssued } from './issued-at-rest.ts'
import { hasSecret, openSettings, sealSettings } from './settings-at-rest.ts'

type Kind = Pick<TokenDescriptor, 'kind' | 'settings' | 'provider'>

/** Seals them anew; tokens of kinds without secrets are not read. */
export async function rekeyTokens(
  tx: Tx,
  from: Vault,
  to: Vault,
  kinds: readonly Kind[] = descriptors,
): Promise<void> {
  for (const { kind, settings } of kinds.filter((it) => hasSecret(it.settings) || it.provider !== undefined))
    for (const row of await tokensOfKind(tx.query, kind)) {
      const opened = openSettings(from, row, settings)
      await changeToken(tx.query, row.token_id, {
        settings: sealSettings(to, row.token_id, opened, settings),
        issued: sealIssued(to, row.token_id, openIssued(from, row)),
      })
    }
}

// The file of a token, for a download: forged again from the token's row.
import { FileAnswer } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { ForgeFile } from '../../flows/forge/forge-file.ts'
import { addressOf } from '../../flows/tokens/address.ts'
import { openSettings } from '../../flows/tokens/settings-at-rest.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'

export interface TokenFileDeps {
  readonly vault: Vault
  readonly forgeFile: ForgeFile
}

/** A kind that has no file is a `bad-input`. */
export async function tokenFile(row: TokenRow, { vault, forgeFile }: TokenFileDeps): Promise<FileAnswer> {
  if (!kinds[row.kind]?.descriptor.downloads)
    throw new Fault('bad-input', 'File generation not supported.', {
      details: { decoytoken: `is of the kind ${row.kind}, which has no file` },
    })
  const { filename, contentType, bytes } = await forgeFile({
    kind: row.kind,
    address: addressOf(row),
    settings: openSettings(vault, row),
  })
  return new FileAnswer(filename, contentType, bytes)
}

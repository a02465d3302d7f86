// The file of a token, for a download: forged again from the token's row, or as it was kept.
import { FileAnswer } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import { isStoredFile } from '@rookery/tokens/settings.ts'
import type { AppContext } from '../../app-context.ts'
import type { ForgeFile } from '../../flows/forge/forge-file.ts'
import type { ForgeCaller } from '../../flows/forge/forge-queue.ts'
import { addressOf } from '../../flows/tokens/address.ts'
import { openIssued } from '../../flows/tokens/issued-at-rest.ts'
import { openSettings } from '../../flows/tokens/settings-at-rest.ts'
import { readWhole } from '../../flows/files/uploads.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'

export interface TokenFileDeps extends Pick<AppContext, 'reader'> {
  readonly vault: Vault
  readonly forgeFile: ForgeFile
}

/** A kind that has no file is a `bad-input`. */
export async function tokenFile(
  row: TokenRow,
  { reader, vault, forgeFile }: TokenFileDeps,
  caller: ForgeCaller,
): Promise<FileAnswer> {
  const { downloads, kept } = kinds[row.kind]?.descriptor ?? { downloads: false }
  if (!downloads)
    throw new Fault('bad-input', 'File generation not supported.', {
      details: { decoytoken: `is of the kind ${row.kind}, which has no file` },
    })
  const settings = openSettings(vault, row)
  const stored = kept === undefined ? undefined : settings[kept]
  if (isStoredFile(stored))
    return new FileAnswer(stored.filename, stored.contentType, await readWhole(reader, stored))
  const subject = { kind: row.kind, address: addressOf(row), settings, issued: openIssued(vault, row) }
  const { filename, contentType, bytes } = await forgeFile(subject, caller)
  return new FileAnswer(filename, contentType, bytes)
}

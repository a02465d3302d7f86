// The file of a token, for a download: forged again from the token's row.
import { FileAnswer } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'
import { addressOf } from '../../flows/tokens/address.ts'

/** A kind that has no file is a `bad-input`. */
export function tokenFile(row: TokenRow): FileAnswer {
  const kind = kinds[row.kind]
  const file = kind?.descriptor.downloads
    ? kind.forge(addressOf(row), JSON.parse(row.settings) as TokenSettings).file
    : undefined
  if (file) return new FileAnswer(file.filename, file.contentType, file.bytes)
  throw new Fault('bad-input', 'File generation not supported.', {
    details: { decoytoken: `is of the kind ${row.kind}, which has no file` },
  })
}

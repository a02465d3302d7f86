// The file of a token: forged anew from what is kept, for whoever downloads it.
import { FileAnswer } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { TokenSettings } from '@rookery/tokens/token.ts'
import type { TokenRow } from '../stores/tokens/store.ts'

/** A kind that has no file is a `bad-input`. */
export function tokenFile(row: TokenRow): FileAnswer {
  const kind = kinds[row.kind]
  const placement = { tokenId: row.token_id, url: row.url, hostname: row.hostname }
  const file = kind?.descriptor.downloads
    ? kind.forge(placement, JSON.parse(row.settings) as TokenSettings).file
    : undefined
  if (file) return new FileAnswer(file.filename, file.contentType, file.bytes)
  throw new Fault('bad-input', 'File generation not supported.', {
    details: { decoytoken: `is of the kind ${row.kind}, which has no file` },
  })
}

// Sources whose touches of one token are recorded as quiet, such as the backup server that reads every file.
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { entriesOf, joinEntries, lineFinder, parseIpLine } from '../../addresses/ip-list.ts'
import { readAddress } from '../../addresses/address-set.ts'

export interface QuietSources {
  /** The entry that covers the address; undefined when none does. */
  entryFor(srcHost: string): string | undefined
}

/** Entries in the list of quiet sources of one token. */
const ENTRIES = limit('quiet_sources_of_a_token', 100)
const PARAMETER = 'quiet_sources'
const NONE: QuietSources = { entryFor: () => undefined }

/** The column: one entry a line, comments kept. A wrong entry is a `bad-input`, and so is a wide range without `force`. */
export function readQuietSources(text: string, force: boolean): string {
  const lines = entriesOf(text, PARAMETER)
  if (lines.length > ENTRIES.max) {
    ENTRIES.hit()
    throw invalidParameter(PARAMETER, `must have at most ${ENTRIES.max} entries, not ${lines.length}`)
  }
  for (const line of lines) parseIpLine(line, { parameter: PARAMETER, ports: false, refusesWide: !force })
  return lines.join('\n')
}

export const showQuietSources = (column: string): string =>
  joinEntries(column === '' ? [] : column.split('\n'))

export function compileQuietSources(column: string): QuietSources {
  if (column === '') return NONE
  const find = lineFinder(column.split('\n'))
  return {
    entryFor: (srcHost) => (readAddress(srcHost) === undefined ? undefined : find({ range: srcHost })),
  }
}

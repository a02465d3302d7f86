// `release-keys.json` as a command is given it.
import { readFileSync } from 'node:fs'
import { Fault } from '@rookery/kernel/fault.ts'
import { parseKeys, type ReleaseKey } from '@rookery/link/release/signature.ts'

/** None without a file; `bad-input` for one that cannot be used. */
export function readReleaseKeys(path: string | undefined): readonly ReleaseKey[] {
  if (path === undefined) return []
  try {
    return parseKeys(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Fault('bad-input', `${path} cannot be used: ${(error as Error).message}.`, { cause: error })
  }
}

// The signed link by which a Bird fetches its update from the console by HTTP: it needs no key, and is good for an hour.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Vault } from '../../secrets/vault.ts'
import { readCursor, signCursor } from '../../secrets/cursor.ts'
import { transferSourcePlace } from '../../stores/transfers/rekey.store.ts'
import { FROM_CONSOLE, isMirror, type OpenTransfer } from '../../stores/transfers/store.ts'

const LIST = 'update'
const VALID_MS = 3_600_000
/** Its id, and until when; short, since a parameter of a path has at most 100 characters. */
type SignedJob = readonly [job: string, until: number]

/** The row with the address that its Bird is given. Each offer has a new link of the console. */
export function withUpdateLink(vault: Vault, now: number, row: OpenTransfer): OpenTransfer {
  const { job_id, source } = row
  if (source === FROM_CONSOLE) return { ...row, source: linkOf(vault, [job_id, now + VALID_MS]) }
  return isMirror(source) ? { ...row, source: vault.open(source, transferSourcePlace(job_id)) } : row
}

/** The job of a link; one that is forged or over is `forbidden`. */
export function jobOfLink(vault: Vault, now: number, link: string): string {
  const [job, until] = read(vault, link)
  if (now >= until)
    throw new Fault(
      'forbidden',
      `This link was good until ${new Date(until).toISOString()}. The next offer has another.`,
    )
  return job
}

const linkOf = (vault: Vault, signed: SignedJob): string => `/update/${signCursor(vault, LIST, signed)}`

function read(vault: Vault, link: string): SignedJob {
  try {
    return readCursor(vault, LIST, link) as SignedJob
  } catch (error) {
    throw new Fault('forbidden', 'This link was not made by this console.', { cause: error })
  }
}

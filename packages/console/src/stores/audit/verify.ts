// Verifies the audit trail: every row follows the one before, none is missing, and it ends where its head says.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Query } from '../../db/query.ts'
import type { Vault } from '../../secrets/vault.ts'
import { BROKEN_ACTION, FIRST_ACTION, isSealed, rowMac } from './chain.ts'
import { readHead, readAudit } from './store.ts'

export interface AuditVerdict {
  readonly rows: number
  /** What is wrong with the first row that is wrong; undefined for a whole trail. */
  readonly failure: string | undefined
  /** Number and MAC of the last row: noted elsewhere, they prove later that no row before them was removed. */
  readonly head: string
}

/** An end of the trail that was noted earlier. */
export interface NotedEnd {
  readonly id: number
  readonly mac: string
}

/** Reads `<number>:<MAC>` as `verifyAudit` answers it; throws `bad-input` for anything else. */
export function readNotedEnd(text: string): NotedEnd {
  const [, id, mac] = /^([1-9]\d{0,14}):([\w-]{43})$/.exec(text) ?? []
  if (id === undefined || mac === undefined)
    throw new Fault(
      'bad-input',
      `The noted end of the audit trail is ${JSON.stringify(text.slice(0, 80))}; it must be a number, a colon and 43 characters, as \`rookery doctor\` prints it.`,
    )
  return { id: Number(id), mac }
}

const PAGE = 1_000

/** The trail must still contain `noted`. */
export async function verifyAudit(
  db: Query,
  vault: Pick<Vault, 'mac'>,
  noted?: NotedEnd,
): Promise<AuditVerdict> {
  // Read first: a serving console may add rows meanwhile.
  const head = await readHead(db)
  let id = 0
  let mac = ''
  const end = (failure?: string): AuditVerdict => ({ rows: id, failure, head: `${id}:${mac}` })

  for (;;) {
    const rows = await readAudit(db, 'all', { after: id }, 'oldest', PAGE)
    for (const row of rows) {
      if (row.id !== id + 1) return end(`${span(id + 1, row.id - 1)} missing`)
      if (id === 0 && row.action_type !== FIRST_ACTION)
        return end('row 1 is not the one that a trail begins with')
      if (rowMac(vault, mac, row) !== row.mac)
        return end(`row ${row.id} was altered, or one before it was taken out`)
      if (row.id === noted?.id && row.mac !== noted.mac)
        return end(`row ${row.id} is not the one that was noted`)
      if (row.id === head?.last_id && row.mac !== head.mac)
        return end(`row ${row.id} is not the one that the trail ended with`)
      if (row.action_type === BROKEN_ACTION) return end(`row ${row.id} says: ${row.message}`)
      id = row.id
      mac = row.mac
    }
    if (rows.length < PAGE) break
  }

  if (id === 0) return end('every row is missing')
  if (!head || head.last_id === 0 || !isSealed(vault, head)) return end('the record of its end was altered')
  if (head.last_id > id) return end(`${span(id + 1, head.last_id)} missing at the end`)
  if (noted !== undefined && noted.id > id) return end(`${span(id + 1, noted.id)} missing at the end`)
  return end()
}

const span = (from: number, to: number): string =>
  from === to ? `row ${from} is` : `rows ${from} to ${to} are`

// The password of a job: who sends the zip shows it by Basic (RFC 7617), and ten wrong ones end the job.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { AppContext } from '../../app-context.ts'
import { cancelTransfer } from '../../flows/files/transfers.ts'
import { transferPasswordPlace } from '../../stores/transfers/rekey.store.ts'
import { changeTransfer, findTransfer, type TransferRow } from '../../stores/transfers/store.ts'

type PasswordDeps = Pick<AppContext, 'writer' | 'vault' | 'world'>

/** Wrong passwords that end a job. */
const WRONG_PASSWORDS = limit('upload_wrong_passwords', 10)

/** Rejects with `unauthenticated`; of a job that has ended with `not-found`: it has no password any more. */
export async function checkPassword(
  deps: PasswordDeps,
  { job_id, password: sealed, ended_at }: TransferRow,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (ended_at !== null || sealed === '') throw new Fault('not-found', 'There is no such upload.')
  const given = basicOf(headers.authorization)
  const wanted = `upload:${deps.vault.open(sealed, transferPasswordPlace(job_id))}`
  if (given !== undefined && isSame(given, wanted)) return
  reply.header('WWW-Authenticate', 'Basic realm="upload"')
  if (given === undefined)
    throw new Fault('unauthenticated', 'Send the user `upload` and the password of the job by Basic.')
  const left = await countWrong(deps, job_id)
  throw new Fault(
    'unauthenticated',
    left > 0
      ? `This is not the user \`upload\` with the password of the job. ${left} more tries end it.`
      : `${WRONG_PASSWORDS.max} wrong passwords ended this upload. Start another.`,
  )
}

/** Answers how many tries are left. */
const countWrong = ({ writer, world }: PasswordDeps, jobId: string): Promise<number> =>
  writer.write(async (tx) => {
    const row = await findTransfer(tx.query, jobId)
    if (!row || row.ended_at !== null) return 0
    const wrong_passwords = row.wrong_passwords + 1
    const now = world.clock.now()
    await changeTransfer(tx, jobId, now, { wrong_passwords })
    if (wrong_passwords < WRONG_PASSWORDS.max) return WRONG_PASSWORDS.max - wrong_passwords
    WRONG_PASSWORDS.hit()
    await cancelTransfer(tx, row, `${wrong_passwords} wrong passwords were tried.`, now)
    return 0
  })

function basicOf(header = ''): string | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(header)?.[1]
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8')
}

function isSame(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)]
  return left.length === right.length && timingSafeEqual(left, right)
}

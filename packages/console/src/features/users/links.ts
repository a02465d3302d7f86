// Links by which a person chooses a password: the one of an invitation, and the one that replaces a password.
import type { Params } from '@rookery/contract/operation.ts'
import type { users } from '@rookery/contract/groups/users.ts'
import { Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import { epoch } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { mailAddress } from '../../config/smtp-url.ts'
import { escaped } from '../../notify/message/letter.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { createTicket, LIFETIME_MS, removeTicketsOf } from '../../stores/tickets/store.ts'
import { checkEmail, createUser } from '../../stores/users/create.ts'
import { assignRole, findUser, type UserRow } from '../../stores/users/store.ts'
import { mustFind } from './queries.ts'

type Deps = Pick<AppContext, 'world'>
type Kind = keyof typeof LIFETIME_MS

const MAIL_MS = 10_000

/** Makes the person, with a role if a Flock is given; one who has not answered yet gets another link in place of the first. */
export function invite(deps: Deps, given: Params<typeof users.invite>, call: Call) {
  const { access_level, flock_id, role } = given
  const email = checkEmail(given.email)
  return linkFor(deps, call, 'invite', async (tx) => {
    if (flock_id !== undefined) await existingFlock(tx.query, call.caller.scope, flock_id)
    const known = await findUser(tx.query, email)
    if (known && (known.password_hash !== '' || known.disabled === 1))
      throw new Fault(
        'conflict',
        `There is a user ${known.email} already; a reset link lets them choose a new password.`,
      )
    const user = known ?? (await createUser(tx, deps.world, { email, access_level }))
    if (user.access_level !== access_level)
      throw invalidParameter(
        'access_level',
        `is ${user.access_level} for ${user.email}, who was invited before`,
      )
    if (flock_id !== undefined) await assignRole(tx, user.user_id, flock_id, role)
    return user
  })
}

export const resetLink = (deps: Deps, { email }: Params<typeof users.resetLink>, call: Call) =>
  linkFor(deps, call, 'reset', async (tx) => {
    const user = await mustFind(tx.query, email)
    if (user.disabled === 1) throw new Fault('conflict', `${user.email} is disabled. Enable them first.`)
    if (user.no_direct_login === 1)
      throw new Fault('conflict', `${user.email} cannot sign in by a password (no_direct_login).`)
    return user
  })

async function linkFor({ world }: Deps, call: Call, kind: Kind, find: (tx: Tx) => Promise<UserRow>) {
  const now = world.clock.now()
  const { user, code } = await call.change(async (tx) => {
    const user = await find(tx)
    call.note({ user_id: user.user_id })
    await removeTicketsOf(tx.query, user.user_id)
    return { user, code: await createTicket(tx, world.random, kind, now, LIFETIME_MS[kind], user.user_id) }
  })
  const url = `${call.sharedUrl}/${kind}#${code}`
  const mail_reason = await mailed({ world }, user.email, LETTERS[kind], url)
  return { url, expires: epoch(now + LIFETIME_MS[kind]), mailed: mail_reason === '', mail_reason }
}

interface LetterWords {
  readonly subject: string
  readonly text: string
}

const LETTERS: Readonly<Record<Kind, LetterWords>> = {
  invite: {
    subject: '[Rookery] You are invited',
    text: 'You are invited to the console of Rookery. Choose a password within 72 hours; the link works once:',
  },
  reset: {
    subject: '[Rookery] Choose a new password',
    text: 'An admin of the console of Rookery lets you choose a new password. Do it within an hour; the link works once:',
  },
}

/** Why it was not mailed; empty if it was. The link is in the answer, so a silent mail server loses nothing. */
async function mailed(
  { world }: Deps,
  email: string,
  { subject, text }: LetterWords,
  url: string,
): Promise<string> {
  if (!world.mail) return 'No mail server is configured: set ROOKERY_SMTP_URL.'
  if (mailAddress(email) === undefined) return 'A mail goes to an ASCII address alone.'
  const html = `<p>${text}</p><p>${escaped(url)}</p>`
  const letter = {
    to: [email],
    subject,
    text: `${text}\n\n${url}\n`,
    html,
    id: hex(world.random, 32),
    timeoutMs: MAIL_MS,
  }
  try {
    const { refused } = await world.mail.send(letter)
    return refused[0]?.reason ?? ''
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return error.message
  }
}

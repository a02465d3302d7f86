// Extension: links that work once. The set-up link makes the first person, an admin; the ones of an invitation and of a
// reset let their person choose a password.
import { actionType } from '@rookery/contract/action-type.ts'
import { tickets } from '@rookery/contract/groups/tickets.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault, required } from '@rookery/kernel/fault.ts'
import { epoch } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { AuditEntry } from '../../db/audit-entry.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { refuseInsecure } from '../../http/person.ts'
import { setCookie, signedInAnswer, startSession } from '../../http/start-session.ts'
import { hashPassword } from '../../secrets/passwords.ts'
import { endSessionsOf } from '../../stores/sessions/store.ts'
import { findTicket, takeTicket, type TicketRow } from '../../stores/tickets/store.ts'
import type { TicketKind } from '../../stores/tickets/tables.ts'
import { checkEmail, checkPassword, createUser } from '../../stores/users/create.ts'
import { changeUser, countUsers, findUserById, type UserRow } from '../../stores/users/store.ts'

const GONE =
  'This link does not work any more. Ask an admin for another; `rookery setup-link` prints one while there is no user.'

interface TicketDeps extends Pick<AppContext, 'reader' | 'writer' | 'world' | 'passwordCost'> {
  /** Where who asked at this address reaches the console by HTTPS; undefined if that is not known. */
  readonly httpsUrl: (askedUrl: string) => string | undefined
}

export function ticketsRoutes({ reader, writer, world, passwordCost, httpsUrl }: TicketDeps): Route<Call>[] {
  /** The ticket with its person; the words are the same for one that never was, is over, or whose person may not sign in. */
  async function find(db: Query, code: string): Promise<Found> {
    const ticket = required(await findTicket(db, code, world.clock.now()), GONE)
    if (ticket.kind === 'setup') return { ticket, user: undefined }
    return { ticket, user: mayUse(await findUserById(db, ticket.user_id)) }
  }

  const entry = (message: string, actor: string, call: Call): AuditEntry => ({
    at: world.clock.now(),
    action_type: actionType(tickets.use),
    message,
    actor,
    actor_ip: call.address,
    flock_id: '',
    flock_name: '',
  })

  async function setUp(tx: Tx, email: string, password_hash: string): Promise<UserRow> {
    if ((await countUsers(tx.query)) > 0)
      throw new Fault('conflict', 'This console is set up already: sign in.')
    return createUser(tx, world, { email, password_hash, access_level: 'admin', note: 'First user' })
  }

  /** All sessions end: who was signed in with the old password is out. */
  async function choosePassword(tx: Tx, { user_id }: UserRow, password_hash: string): Promise<UserRow> {
    await changeUser(tx.query, user_id, { password_hash })
    await endSessionsOf(tx.query, user_id)
    return mayUse(await findUserById(tx.query, user_id))
  }

  return implement(tickets, {
    async read({ code }) {
      const { ticket, user } = await find(reader, code)
      return { kind: ticket.kind, email: user?.email ?? null, expires: epoch(ticket.expires_at) }
    },
    async use({ code, email: given, password }, call: Call) {
      refuseInsecure(call, httpsUrl(call.baseUrl))
      const { ticket, user: known } = await find(reader, code)
      if (known && given !== undefined)
        throw new Fault('bad-input', 'This link is of one person.', {
          details: { email: 'must not be given' },
        })
      const email = known?.email ?? checkEmail(given ?? '')
      await checkPassword(password, email)
      const password_hash = await hashPassword(world.random, password, passwordCost)
      const { started } = await writer.write(
        async (tx: Tx) => {
          if (!(await takeTicket(tx, code, world.clock.now()))) throw new Fault('not-found', GONE)
          const made = known
            ? await choosePassword(tx, known, password_hash)
            : await setUp(tx, email, password_hash)
          // Who lost a password signs in with the new one, and with all else that signing in asks for.
          return {
            user: made,
            started: ticket.kind === 'reset' ? undefined : await startSession(tx, world, made, call),
          }
        },
        'care',
        ({ user: made }) => [entry(SAYS[ticket.kind](made.email), made.email, call)],
      )
      if (!started) return NOBODY_SIGNED_IN
      setCookie(call, started)
      return signedInAnswer(started)
    },
  })
}

const NOBODY_SIGNED_IN = {
  page_half: null,
  needs_factor: false,
  must_add_factor: false,
  ways: ['password' as const],
  me: null,
}

/** The person, if they may sign in by a password. */
function mayUse(user: UserRow | undefined): UserRow {
  if (!user || user.disabled === 1 || user.no_direct_login === 1) throw new Fault('not-found', GONE)
  return user
}

interface Found {
  readonly ticket: TicketRow
  /** Whose link it is; undefined for a set-up link. */
  readonly user: UserRow | undefined
}

const SAYS: Readonly<Record<TicketKind, (email: string) => string>> = {
  setup: (email) => `Set up the console: email ${email}.`,
  invite: () => 'Accepted an invitation.',
  reset: () => 'Chose a new password by a reset link.',
}

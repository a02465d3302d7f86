// Extension: links that work once. The set-up link makes the first person, an admin, and signs them in.
import { actionType } from '@rookery/contract/action-type.ts'
import { tickets } from '@rookery/contract/groups/tickets.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault, required } from '@rookery/kernel/fault.ts'
import { epoch } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { refuseInsecure } from '../../http/person.ts'
import { setCookie, signedInAnswer, startSession } from '../../http/start-session.ts'
import { hashPassword } from '../../secrets/passwords.ts'
import { findTicket, takeTicket } from '../../stores/tickets/store.ts'
import { checkEmail, checkPassword, createUser } from '../../stores/users/create.ts'
import { countUsers } from '../../stores/users/store.ts'

const GONE = 'This link does not work any more. `rookery setup-link` prints a new one.'

interface TicketDeps extends Pick<AppContext, 'reader' | 'writer' | 'world' | 'passwordCost'> {
  /** Where who asked at this address reaches the console by HTTPS; undefined if that is not known. */
  readonly httpsUrl: (askedUrl: string) => string | undefined
}

export function ticketsRoutes({ reader, writer, world, passwordCost, httpsUrl }: TicketDeps): Route<Call>[] {
  const find = async (code: string) => required(await findTicket(reader, code, world.clock.now()), GONE)

  return implement(tickets, {
    async read({ code }) {
      const { kind, expires_at } = await find(code)
      return { kind, expires: epoch(expires_at) }
    },
    async use({ code, email: given, password }, call: Call) {
      refuseInsecure(call, httpsUrl(call.baseUrl))
      await find(code)
      const email = checkEmail(given)
      await checkPassword(password, email)
      const password_hash = await hashPassword(world.random, password, passwordCost)
      const { started } = await writer.write(
        async (tx: Tx) => {
          if (!(await takeTicket(tx, code, world.clock.now()))) throw new Fault('not-found', GONE)
          if ((await countUsers(tx.query)) > 0)
            throw new Fault('conflict', 'This console is set up already: sign in.')
          const made = await createUser(tx, world, {
            email,
            password_hash,
            access_level: 'admin',
            note: 'First user',
          })
          return { user: made, started: await startSession(tx, world, made, call) }
        },
        'care',
        ({ user: made }) => [
          {
            at: world.clock.now(),
            action_type: actionType(tickets.use),
            message: `Set up the console: email ${made.email}.`,
            actor: made.email,
            actor_ip: call.address,
            flock_id: '',
            flock_name: '',
          },
        ],
      )
      setCookie(call, started)
      return signedInAnswer(started)
    },
  })
}

// `rookery user list`, `password` and `reset-factors`: the people of the console, on its machine, also while it is serving.
import type { Command } from 'commander'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Query } from '@rookery/console/db/query.ts'
import { systemEntry } from '@rookery/console/stores/audit/system-entry.ts'
import { hashPassword } from '@rookery/console/secrets/passwords.ts'
import { removeFactors } from '@rookery/console/stores/factors/store.ts'
import { endSessionsOf } from '@rookery/console/stores/sessions/store.ts'
import { removeTicketsOf } from '@rookery/console/stores/tickets/store.ts'
import { checkPassword } from '@rookery/console/stores/users/create.ts'
import {
  changeUser,
  findUser,
  hasFactor,
  listUsers,
  type UserRow,
} from '@rookery/console/stores/users/store.ts'
import { addOptions, configOf } from '../flags.ts'
import { readNewPassword } from '../new-password.ts'
import { runOffline } from './offline.ts'

type Flags = Record<string, unknown>

const DATABASE = ['ROOKERY_DATA_DIR', 'ROOKERY_DATABASE_URL', 'ROOKERY_MASTER_KEY'] as const

export function addUserCommand(program: Command): void {
  const user = program.command('user').description('people who sign in')
  addOptions(user.command('list').description('list the users'), [...DATABASE]).action(list)
  const password = user
    .command('password')
    .description(
      'set a password, read from the terminal or from standard input; the sessions of the user end',
    )
    .argument('<email>', 'e-mail address of the user')
  addOptions(password, [...DATABASE]).action(setPassword)
  const reset = user
    .command('reset-factors')
    .description('remove the second factors of a user who lost them; the sessions of the user end')
    .argument('<email>', 'e-mail address of the user')
  addOptions(reset, [...DATABASE]).action(resetFactors)
}

async function list(flags: Flags): Promise<void> {
  const users = await runOffline(configOf(flags), ({ reader }) => listUsers(reader))
  if (users.length === 0)
    process.stdout.write(
      'There is no user yet: `rookery setup-link` prints a link that makes the first one.\n',
    )
  const width = Math.max(...users.map(({ email }) => email.length))
  for (const user of users)
    process.stdout.write(`${user.email.padEnd(width)}  ${user.access_level.padEnd(5)}  ${stateOf(user)}\n`)
}

function stateOf(user: UserRow): string {
  const { disabled, no_direct_login, most_recent_login_at: at } = user
  const last = at === null ? 'never signed in' : `signed in ${new Date(at).toISOString().slice(0, 16)}Z`
  const factors = hasFactor(user) ? ['second factor'] : []
  return [
    last,
    ...factors,
    ...(disabled ? ['disabled'] : []),
    ...(no_direct_login ? ['not by password'] : []),
  ].join(', ')
}

async function setPassword(given: string, flags: Flags): Promise<void> {
  await runOffline(configOf(flags), async ({ reader, writer, world, passwordCost }) => {
    const user = await mustFind(reader, given)
    const { email, user_id } = user
    const password = await readNewPassword(email)
    await checkPassword(password, email)
    const password_hash = await hashPassword(world.random, password, passwordCost)
    const ended = await writer.write(
      async (tx) => {
        await changeUser(tx.query, user_id, { password_hash })
        await removeTicketsOf(tx.query, user_id)
        return endSessionsOf(tx.query, user_id)
      },
      'care',
      () => [systemEntry(world.clock, 'local', 'users.update', 'Change a password', { email })],
    )
    process.stdout.write(`The password of ${email} is changed. Sessions ended: ${ended}.\n`)
    const hint = [
      ...(user.disabled ? ['is disabled'] : []),
      ...(user.no_direct_login ? ['may not sign in by password'] : []),
    ]
    if (hint.length > 0) process.stderr.write(`Note: ${email} ${hint.join(' and ')}.\n`)
  })
}

async function resetFactors(given: string, flags: Flags): Promise<void> {
  await runOffline(configOf(flags), async ({ reader, writer, world }) => {
    const { email, user_id } = await mustFind(reader, given)
    const ended = await writer.write(
      async (tx) => {
        await removeFactors(tx, user_id)
        return endSessionsOf(tx.query, user_id)
      },
      'care',
      () => [
        systemEntry(world.clock, 'local', 'users.reset_factors', 'Remove the second factors', { email }),
      ],
    )
    process.stdout.write(
      `${email} has no second factor any more, and signs in by the password. Sessions ended: ${ended}.\n`,
    )
  })
}

async function mustFind(reader: Query, given: string): Promise<UserRow> {
  const user = await findUser(reader, given.trim())
  if (user) return user
  throw new Fault(
    'not-found',
    `There is no user ${JSON.stringify(given.slice(0, 254))}: \`rookery user list\` lists them.`,
  )
}

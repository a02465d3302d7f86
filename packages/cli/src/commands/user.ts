// `rookery user list` and `rookery user password`: the people of the console, on its machine, also while it is serving.
import type { Command } from 'commander'
import { Fault } from '@rookery/kernel/fault.ts'
import { systemEntry } from '@rookery/console/stores/audit/system-entry.ts'
import { hashPassword } from '@rookery/console/secrets/passwords.ts'
import { endSessionsOf } from '@rookery/console/stores/sessions/store.ts'
import { checkPassword } from '@rookery/console/stores/users/create.ts'
import { changeUser, findUser, listUsers, type UserRow } from '@rookery/console/stores/users/store.ts'
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

function stateOf({ disabled, no_direct_login, most_recent_login_at: at }: UserRow): string {
  const last = at === null ? 'never signed in' : `signed in ${new Date(at).toISOString().slice(0, 16)}Z`
  return [last, ...(disabled ? ['disabled'] : []), ...(no_direct_login ? ['not by password'] : [])].join(', ')
}

async function setPassword(given: string, flags: Flags): Promise<void> {
  await runOffline(configOf(flags), async ({ reader, writer, world, passwordCost }) => {
    const user = await findUser(reader, given.trim())
    if (!user)
      throw new Fault(
        'not-found',
        `There is no user ${JSON.stringify(given.slice(0, 254))}: \`rookery user list\` lists them.`,
      )
    const { email, user_id } = user
    const password = await readNewPassword(email)
    await checkPassword(password, email)
    const password_hash = await hashPassword(world.random, password, passwordCost)
    const ended = await writer.write(
      async (tx) => {
        await changeUser(tx.query, user_id, { password_hash })
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

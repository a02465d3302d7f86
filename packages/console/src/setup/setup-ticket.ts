// The code of the set-up link, while a console has no user.
import type { AppContext } from '../app-context.ts'
import { createTicket, SETUP_MS } from '../stores/tickets/store.ts'
import { countUsers } from '../stores/users/store.ts'

/** Makes a code that works once, for 30 minutes; undefined when somebody can sign in already. */
export async function makeSetupCode({
  reader,
  writer,
  world,
}: Pick<AppContext, 'reader' | 'writer' | 'world'>): Promise<string | undefined> {
  if ((await countUsers(reader)) > 0) return undefined
  return writer.write((tx) => createTicket(tx, world.random, 'setup', world.clock.now(), SETUP_MS))
}

// Which plug-in a user is asked for. MySQL 8.0 draws one for a user that does not exist and remembers it, so that strangers look
// like users.
import { limit } from '@rookery/kernel/limit.ts'
import type { Plugin, Version } from './version.ts'

/** The accounts of the decoy, from anywhere. */
const USERS = ['root', 'mysql']
/** MySQL forgets all of them at once. */
const STRANGERS = limit('database_decoy_strangers', 1_000)

/** Answers the plug-in of a user's account; `random` draws it for a stranger. */
export function accounts({ plugin, strangerPlugins }: Pick<Version, 'plugin' | 'strangerPlugins'>) {
  const strangers = new Map<string, Plugin>()
  return (user: string, random: (length: number) => Buffer): Plugin => {
    if (USERS.includes(user) || strangerPlugins.length === 1) return plugin
    const known = strangers.get(user)
    if (known) return known
    if (strangers.size > STRANGERS.max) {
      STRANGERS.hit()
      strangers.clear()
    }
    const drawn = strangerPlugins[random(4).readUInt32BE() % strangerPlugins.length] ?? plugin
    strangers.set(user, drawn)
    return drawn
  }
}

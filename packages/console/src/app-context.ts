// What every part of the console needs; each picks its own by name.
import type { World } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import type { Background } from './background/background.ts'
import type { ConfigCache } from './db/config-cache.ts'
import type { Engine } from './db/engine.ts'
import type { Query } from './db/query.ts'
import type { Writer } from './db/writer.ts'
import type { PasswordCost } from './secrets/passwords.ts'
import type { Vault } from './secrets/vault.ts'

export interface AppContext {
  readonly engine: Engine
  readonly reader: Query
  readonly writer: Writer
  readonly config: ConfigCache
  readonly vault: Vault
  readonly world: World
  readonly log: Logger
  /** The loops of this console. */
  readonly background: Background
  /** Of new passwords. */
  readonly passwordCost: PasswordCost
}

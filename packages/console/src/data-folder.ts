// The data directory: created if it is missing, refused with a reason if it cannot be used.
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'

export interface DataFolder {
  readonly path: string
  /** The folders that were missing, the innermost first. */
  readonly made: readonly string[]
  readonly database: string
  readonly masterKey: string
  /** The next master key, while `rookery rekey` replaces the one before. */
  readonly nextMasterKey: string
  /** The key before, for backups made under it. */
  readonly oldMasterKey: string
  readonly adminKey: string
  /** The own certificate authority of the token host: its key and its certificate. */
  readonly tokensAuthority: string
  readonly reserve: string
  readonly lock: string
  readonly bird: string
  /** The spool of the token listeners. */
  readonly touches: string
  /** Which background tasks of a console that runs are late. */
  readonly tasks: string
  /** Images of Birds; made with the first one. */
  readonly images: string
}

/** Makes and checks the folder; throws `bad-input` with the path and the reason. */
export function openDataFolder(given: string): DataFolder {
  const path = resolve(given)
  let made: readonly string[]
  try {
    made = make(path)
    if (!statSync(path).isDirectory()) throw new Error('it is not a folder')
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Fault('bad-input', `The data directory ${path} cannot be used: ${(cause as Error).message}.`, {
      cause,
    })
  }
  const inside = (name: string): string => join(path, name)
  return {
    path,
    made,
    database: inside('rookery.db'),
    masterKey: inside('master.key'),
    nextMasterKey: inside('master.key.new'),
    oldMasterKey: inside('master.key.old'),
    adminKey: inside('admin.key'),
    tokensAuthority: inside('tokens-ca.pem'),
    reserve: inside('reserve'),
    lock: inside('lock'),
    bird: inside('bird'),
    touches: inside('touches'),
    tasks: inside('tasks.json'),
    images: inside('images'),
  }
}

/** Creates the folder and its parents one by one: below /proc, Node's recursive mkdir never ends. */
function make(path: string): string[] {
  if (existsSync(path)) return []
  const above = dirname(path) === path ? [] : make(dirname(path))
  mkdirSync(path, { mode: 0o700 })
  return [path, ...above]
}

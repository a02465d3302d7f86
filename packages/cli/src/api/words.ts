// The words of `rookery api …` in their parts: our own flags, the path, and `--name value` for each parameter.
import { UsageError } from './usage-error.ts'

/** What the command itself reads; everything else is a parameter of the operation. */
export const OWN_FLAGS = {
  console: 'address of the console; default: ROOKERY_PUBLIC_URL, or this machine at ROOKERY_LISTEN',
  'key-file':
    'file that holds the API key; default: ROOKERY_API_KEY, or <data>/admin.key for the console on this machine',
  'data-dir': 'where admin.key is looked for; default: ROOKERY_DATA_DIR',
  output: 'write the answer to this file instead; - is the standard output',
  method: 'which of several operations on one path',
} as const

export type OwnFlag = keyof typeof OWN_FLAGS

export interface Words {
  readonly path: string | undefined
  readonly wantsHelp: boolean
  /** One line of JSON, on a terminal too. */
  readonly wantsJson: boolean
  readonly own: Readonly<Partial<Record<OwnFlag, string>>>
  /** Each parameter in its order; undefined where no value followed. */
  readonly given: readonly (readonly [name: string, value: string | undefined])[]
}

/** Reads the words; a value that begins with `--` is given as `--name=value`. */
export function readWords(words: readonly string[]): Words {
  const own: Partial<Record<OwnFlag, string>> = {}
  const given: [string, string | undefined][] = []
  let path: string | undefined
  let wantsHelp = false
  let wantsJson = false
  const waiting = [...words]
  for (let word = waiting.shift(); word !== undefined; word = waiting.shift()) {
    if (word === '--help' || word === '-h') wantsHelp = true
    else if (word === '--json') wantsJson = true
    else if (word.startsWith('--')) {
      const at = word.indexOf('=')
      const name = word.slice(2, at < 0 ? undefined : at)
      const follows = waiting[0] !== undefined && !waiting[0].startsWith('--')
      const value = at >= 0 ? word.slice(at + 1) : follows ? waiting.shift() : undefined
      if (!isOwn(name)) given.push([name, value])
      else if (value === undefined || value === '') throw new UsageError(`--${name} needs a value.`)
      else own[name] = value
    } else if (word.startsWith('-') && word !== '-')
      throw new UsageError(`There is no ${word}; parameters are given as --name value.`)
    else if (path === undefined) path = word
    else
      throw new UsageError(
        `${JSON.stringify(word.slice(0, 60))} is one word too many; quote a value that holds spaces.`,
      )
  }
  return { path, wantsHelp, wantsJson, own, given }
}

const isOwn = (name: string): name is OwnFlag => name in OWN_FLAGS

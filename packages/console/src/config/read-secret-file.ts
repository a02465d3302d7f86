// A secret that an option names by its file: arguments are shown to every user of the machine, files are not.
import { readFileSync, statSync } from 'node:fs'
import { Fault } from '@rookery/kernel/fault.ts'

/** Far more than a URL with a password needs. */
const LONGEST = 65_536

/** What a file of a secret may hold; by default one line, because a second one is mostly a mistake. */
export type SecretLines = 'one line' | 'several lines'

/**
 * The one line of the file, or its several lines, without the last line end. `option` is the flag or the variable that named it. Throws `bad-input`
 * for a file that is missing, unreadable, empty or longer; `warn` gets a sentence on one that others may read.
 */
export function readSecretFile(
  path: string,
  option: string,
  warn: (message: string) => void,
  lines: SecretLines = 'one line',
): string {
  const wrong = (what: string, cause?: unknown): Fault =>
    new Fault('bad-input', `${option} ${path}: ${what}`, { cause })
  if (path === '') throw new Fault('bad-input', `${option} must be the path of a file, not empty.`)
  let text: string
  let mode: number
  try {
    const file = statSync(path)
    if (file.isDirectory()) throw new Error('it is a folder')
    if (file.size > LONGEST) throw new Error(`it has ${file.size} bytes; a secret has at most ${LONGEST}`)
    mode = file.mode & 0o777
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw wrong(`the file cannot be read: ${(cause as Error).message}.`, cause)
  }
  if (text.trim() === '') throw wrong('the file is empty; it must hold the secret.')
  if (lines === 'one line' && /[\r\n]/.test(text))
    throw wrong('the file has more than one line; it must hold the secret alone.')
  if ((mode & 0o077) !== 0)
    warn(
      `${option} ${path}: the file has mode ${mode.toString(8)}, so others may read the secret. Run chmod ${(mode & 0o700).toString(8)}.`,
    )
  return text.trim()
}

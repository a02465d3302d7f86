// The master key: from the environment, from `<data>/master.key`, or generated at the first start.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Random } from '@rookery/kernel/world.ts'

const SHAPE = /^[0-9a-f]{64}$/i

/** 32 bytes. `given` (64 hex digits) wins over the file; a new one is made, with mode 0600, only for a new database. */
export function masterKey(
  given: string | undefined,
  path: string,
  random: Random,
  mayMake = true,
): Uint8Array {
  if (given !== undefined) return parse(given, 'ROOKERY_MASTER_KEY')
  if (existsSync(path)) return parse(readFileSync(path, 'utf8').trim(), path)
  if (!mayMake) {
    throw new Fault(
      'conflict',
      `${path} is missing, and the database was sealed under it. Put it back, or set ROOKERY_MASTER_KEY.`,
    )
  }
  const made = Buffer.from(random.bytes(32))
  writeFileSync(path, made.toString('hex') + '\n', { mode: 0o600, flag: 'wx' })
  chmodSync(path, 0o600)
  return made
}

function parse(text: string, where: string): Uint8Array {
  if (!SHAPE.test(text))
    throw new Fault('bad-input', `${where} must be 64 hex digits, and is ${text.length} characters long.`)
  return Buffer.from(text, 'hex')
}

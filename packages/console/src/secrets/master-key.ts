// The master key: given by the environment, read from `<data>/master.key`, or made at the first start.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Random } from '@rookery/kernel/world.ts'

const SHAPE = /^[0-9a-f]{64}$/i

/** 32 bytes. `given` (64 hex digits) wins over the file; the file is made with mode 0600. */
export function masterKey(given: string | undefined, path: string, random: Random): Uint8Array {
  if (given !== undefined) return parse(given, 'ROOKERY_MASTER_KEY')
  if (existsSync(path)) return parse(readFileSync(path, 'utf8').trim(), path)
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

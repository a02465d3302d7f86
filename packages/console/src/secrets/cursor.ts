// A cursor is opaque and signed: it carries the whole request, and nobody but us can write one.
import { timingSafeEqual } from 'node:crypto'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Vault } from './vault.ts'

const MAC_BYTES = 16

/** `list` names the list that the cursor belongs to; `state` is plain JSON. */
export function signCursor(vault: Vault, list: string, state: object): string {
  const body = Buffer.from(JSON.stringify(state)).toString('base64url')
  return `${body}.${mac(vault, list, body).toString('base64url')}`
}

/** The state of a cursor of this list; a forged one or another list's is a `bad-input`. */
export function readCursor(vault: Vault, list: string, cursor: string): unknown {
  const [body = '', signature = ''] = cursor.split('.')
  const given = Buffer.from(signature, 'base64url')
  const wanted = mac(vault, list, body)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new Fault('bad-input', 'Parameter cursor was invalid.', {
      details: { cursor: 'must be a cursor that this list answered with' },
    })
  }
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as unknown
}

const mac = (vault: Vault, list: string, body: string): Buffer =>
  vault.mac('cursor', `${list}\n${body}`).subarray(0, MAC_BYTES)

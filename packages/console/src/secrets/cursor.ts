// A cursor is opaque and signed: it carries the whole request, and nobody but us can write one.
import { timingSafeEqual } from 'node:crypto'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Vault } from './vault.ts'

const MAC_BYTES = 16

/** Most cursors come back at once, or are given again to whoever polls: the last ones are known without a MAC. */
const KNOWN = 200

interface Known {
  /** State, as JSON, to cursor. */
  readonly signed: Map<string, string>
  /** Cursor to state. */
  readonly states: Map<string, unknown>
}

/** Of each list. */
const knownOf = new WeakMap<Vault, Map<string, Known>>()

/** `list` names the list that the cursor belongs to; `state` is plain JSON, and stays as it is. */
export function signCursor(vault: Vault, list: string, state: object): string {
  const { signed, states } = known(vault, list)
  const json = JSON.stringify(state)
  const already = signed.get(json)
  if (already !== undefined) return already
  const body = Buffer.from(json).toString('base64url')
  const cursor = `${body}.${mac(vault, list, body).toString('base64url')}`
  remember(signed, json, cursor)
  remember(states, cursor, state)
  return cursor
}

/** The state of a cursor of this list; a forged one or another list's is a `bad-input`. */
export function readCursor(vault: Vault, list: string, cursor: string): unknown {
  const { states } = known(vault, list)
  const already = states.get(cursor)
  if (already !== undefined) return already
  const [body = '', signature = ''] = cursor.split('.')
  const given = Buffer.from(signature, 'base64url')
  const wanted = mac(vault, list, body)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new Fault('bad-input', 'Parameter cursor was invalid.', {
      details: { cursor: 'must be a cursor that this list answered with' },
    })
  }
  const state = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as unknown
  remember(states, cursor, state)
  return state
}

function known(vault: Vault, list: string): Known {
  let lists = knownOf.get(vault)
  if (!lists) knownOf.set(vault, (lists = new Map()))
  let made = lists.get(list)
  if (!made) lists.set(list, (made = { signed: new Map(), states: new Map() }))
  return made
}

function remember<T>(kept: Map<string, T>, name: string, value: T): void {
  kept.set(name, value)
  if (kept.size > KNOWN) kept.delete(kept.keys().next().value ?? name)
}

const mac = (vault: Vault, list: string, body: string): Buffer =>
  vault.mac('cursor', `${list}\n${body}`).subarray(0, MAC_BYTES)

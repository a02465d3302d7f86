// A cursor is opaque and signed: it contains the whole request, and only the console can make one.
import { timingSafeEqual } from 'node:crypto'
import { boundedMap, type BoundedMap } from '@rookery/kernel/bounded-map.ts'
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Vault } from './vault.ts'

const MAC_BYTES = 16

/** Most cursors come back at once, or are given again to a poller: the last ones of a list need no MAC. */
const CURSORS = limit('cursor_cache', 200)

interface Cache {
  /** State, as JSON, to cursor. */
  readonly signed: BoundedMap<string, string>
  /** Cursor to state. */
  readonly states: BoundedMap<string, unknown>
}

/** Of each list. */
const caches = new WeakMap<Vault, Map<string, Cache>>()

/** `list` names the list that the cursor belongs to; `state` is plain JSON, and stays as it is. */
export function signCursor(vault: Vault, list: string, state: object): string {
  const { signed, states } = cacheOf(vault, list)
  const json = JSON.stringify(state)
  const cached = signed.get(json)
  if (cached !== undefined) return cached
  const body = Buffer.from(json).toString('base64url')
  const cursor = `${body}.${mac(vault, list, body).toString('base64url')}`
  signed.set(json, cursor)
  states.set(cursor, state)
  return cursor
}

/** The state of a cursor of this list; a forged one or another list's is a `bad-input`. */
export function readCursor(vault: Vault, list: string, cursor: string): unknown {
  const { states } = cacheOf(vault, list)
  const cached = states.get(cursor)
  if (cached !== undefined) return cached
  const [body = '', signature = ''] = cursor.split('.')
  const given = Buffer.from(signature, 'base64url')
  const wanted = mac(vault, list, body)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw invalidParameter('cursor', 'must be a cursor that this list answered with')
  }
  const state = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as unknown
  states.set(cursor, state)
  return state
}

function cacheOf(vault: Vault, list: string): Cache {
  const lists = caches.get(vault) ?? new Map<string, Cache>()
  caches.set(vault, lists)
  const cache = lists.get(list) ?? { signed: boundedMap(CURSORS), states: boundedMap(CURSORS) }
  lists.set(list, cache)
  return cache
}

const mac = (vault: Vault, list: string, body: string): Buffer =>
  vault.mac('cursor', `${list}\n${body}`).subarray(0, MAC_BYTES)

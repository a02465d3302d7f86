// Signing in: new halves at each time, so that a half that was planted before is worth nothing after it (session fixation).
import { hex } from '@rookery/kernel/ids.ts'
import { SESSION_COOKIE } from '@rookery/kernel/session-cookie.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { Tx } from '../db/query.ts'
import { addSession, LONGEST_MS } from '../stores/sessions/store.ts'
import { markLogin, type UserRow } from '../stores/users/store.ts'
import type { Call } from './call.ts'
import { hashHalf } from './person.ts'

const HALF_DIGITS = 64
const AGENT_CHARACTERS = 300
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'

export interface StartedSession {
  readonly cookie: string
  readonly page: string
}

/** Stores a session of this person; the caller sets the cookie once it is committed. */
export async function startSession(
  tx: Tx,
  { clock, random }: Pick<World, 'clock' | 'random'>,
  user: Pick<UserRow, 'user_id'>,
  { address, userAgent }: Pick<Call, 'address' | 'userAgent'>,
): Promise<StartedSession> {
  const halves = { cookie: hex(random, HALF_DIGITS), page: hex(random, HALF_DIGITS) }
  const now = clock.now()
  await addSession(tx, {
    session_id: hex(random, 16),
    user_id: user.user_id,
    cookie_hash: hashHalf(halves.cookie),
    page_hash: hashHalf(halves.page),
    created_at: now,
    used_at: now,
    address,
    user_agent: userAgent.slice(0, AGENT_CHARACTERS),
  })
  await markLogin(tx.query, user.user_id, now)
  return halves
}

export const setCookie = (call: Pick<Call, 'setHeader'>, { cookie }: StartedSession): void =>
  call.setHeader('Set-Cookie', `${SESSION_COOKIE}=${cookie}; Max-Age=${LONGEST_MS / 1000}; ${ATTRIBUTES}`)

export const clearCookie = (call: Pick<Call, 'setHeader'>): void =>
  call.setHeader('Set-Cookie', `${SESSION_COOKIE}=; Max-Age=0; ${ATTRIBUTES}`)

// Signing in: new halves at each time and at each step-up, so that a half that was planted before is worth nothing after it
// (session fixation).
import { Fault } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import { SESSION_COOKIE } from '@rookery/kernel/session-cookie.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { Tx } from '../db/query.ts'
import { addSession, renewSession } from '../stores/sessions/store.ts'
import { signInRules } from '../stores/settings/sign-in.ts'
import { readSettings } from '../stores/settings/store.ts'
import {
  findUserById,
  flocksOf,
  hasFactor,
  markLogin,
  NO_FLOCKS,
  type FlocksOfUser,
  type UserRow,
} from '../stores/users/store.ts'
import type { Call } from './call.ts'
import { shownMe } from './me.ts'
import { hashHalf } from './person.ts'

const HALF_DIGITS = 64
const AGENT_CHARACTERS = 300
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'

type SessionWorldDeps = Pick<World, 'clock' | 'random'>

export interface StartedSession {
  readonly cookie: string
  readonly page: string
  /** Whose it is, as the transaction saw them. */
  readonly user: UserRow
  /** The second factor is missing. */
  readonly needsFactor: boolean
  /** The person must add a second factor before anything else. */
  readonly mustAddFactor: boolean
  /** Where the person has a part; none while something is missing. */
  readonly flocks: FlocksOfUser
  readonly longestMs: number
}

interface StartOptions {
  /** A passkey signs in alone. */
  readonly isFactorGiven?: boolean
}

const draw = ({ random }: SessionWorldDeps) => ({
  cookie: hex(random, HALF_DIGITS),
  page: hex(random, HALF_DIGITS),
})

/** Stores a session of this person; the caller sets the cookie once it is committed. */
export async function startSession(
  tx: Tx,
  world: SessionWorldDeps,
  { user_id }: Pick<UserRow, 'user_id'>,
  { address, userAgent }: Pick<Call, 'address' | 'userAgent'>,
  { isFactorGiven = false }: StartOptions = {},
): Promise<StartedSession> {
  const halves = draw(world)
  const now = world.clock.now()
  const started = await describe(tx, user_id, halves)
  const needsFactor = hasFactor(started.user) && !isFactorGiven
  await addSession(tx, {
    session_id: hex(world.random, 16),
    user_id,
    cookie_hash: hashHalf(halves.cookie),
    page_hash: hashHalf(halves.page),
    created_at: now,
    used_at: now,
    address,
    user_agent: userAgent.slice(0, AGENT_CHARACTERS),
    needs_factor: Number(needsFactor),
    proved_at: now,
  })
  if (!needsFactor) await markLogin(tx.query, user_id, now)
  return { ...started, needsFactor, ...(needsFactor && { flocks: NO_FLOCKS }) }
}

/** New halves for a session whose person has just shown a factor; it lacks none from then on. */
export async function renewHalves(
  tx: Tx,
  world: SessionWorldDeps,
  {
    sessionId,
    userId,
    lacks,
  }: { readonly sessionId: string; readonly userId: string; readonly lacks: string },
): Promise<StartedSession> {
  const halves = draw(world)
  const now = world.clock.now()
  const renewed = await renewSession(tx.query, sessionId, {
    cookie_hash: hashHalf(halves.cookie),
    page_hash: hashHalf(halves.page),
    proved_at: now,
  })
  if (!renewed) throw new Fault('unauthenticated', 'This session has ended: sign in again.')
  if (lacks === 'factor') await markLogin(tx.query, userId, now)
  return describe(tx, userId, halves)
}

async function describe(
  tx: Tx,
  userId: string,
  halves: { readonly cookie: string; readonly page: string },
): Promise<StartedSession> {
  const user = await findUserById(tx.query, userId)
  if (!user || user.disabled === 1 || user.no_direct_login === 1)
    throw new Fault('unauthenticated', 'There is no such person any more.')
  const { longestMs, isFactorRequired } = signInRules(await readSettings(tx.query))
  const mustAddFactor = isFactorRequired && !hasFactor(user)
  const flocks = mustAddFactor ? NO_FLOCKS : await flocksOf(tx.query, userId)
  return { ...halves, user, needsFactor: false, mustAddFactor, flocks, longestMs }
}

export const setCookie = (
  call: Pick<Call, 'setHeader'>,
  { cookie, longestMs }: Pick<StartedSession, 'cookie' | 'longestMs'>,
): void =>
  call.setHeader('Set-Cookie', `${SESSION_COOKIE}=${cookie}; Max-Age=${longestMs / 1000}; ${ATTRIBUTES}`)

export const clearCookie = (call: Pick<Call, 'setHeader'>): void =>
  call.setHeader('Set-Cookie', `${SESSION_COOKIE}=; Max-Age=0; ${ATTRIBUTES}`)

export type Way = 'password' | 'passkey' | 'totp' | 'recovery'

/** What the page gets. */
export const signedInAnswer = (started: StartedSession, ways: Way[] = []) => ({
  page_half: started.page,
  needs_factor: started.needsFactor,
  must_add_factor: started.mustAddFactor,
  ways,
  me: shownMe({
    userId: started.user.user_id,
    email: started.user.email,
    accessLevel: started.user.access_level,
    ...started.flocks,
  }),
})

// Touches of tokens, whatever the channel: stored first, answered after. While the database is away or the disk full, a touch
// goes to the console's spool on disk, and is answered within 2 s.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { deadlines } from '@rookery/kernel/deadlines.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { withoutSessionCookies } from '@rookery/kernel/session-cookie.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import type { Background } from '../background/background.ts'
import { isRefusalOfAny } from '../db/postgres/errors.ts'
import type { TokenOutcome, TokenVisit } from '../flows/ingest/ingest-item.ts'
import { isOutage, openTouchSpool } from './touch-spool.ts'

export interface TokenTouches {
  /**
   * Resolves after the commit. While that takes long or is refused, it resolves within 2 s with what the token answered last;
   * the visit is in the spool then. Rejects when the database refuses the visit for good. `onSettled` is called when the
   * database has answered.
   */
  submit(visit: TokenVisit, onSettled?: () => void): Promise<TokenOutcome>
  /** Milliseconds that are left, after `submit`, to what the answer needs of the database. */
  leftMs(): number
  /** Touches that wait for the database. */
  waiting(): number
  /** Those of them that are in memory alone. */
  notDurable(): number
  /** What is not stored stays in the spool, also what has not waited for long. */
  stop(): void
}

export interface TokenTouchesDeps {
  readonly world: Pick<World, 'clock' | 'random'>
  readonly background: Background
  readonly log: Logger
  /** Of the spool; this process alone writes there. */
  readonly folder: string
  /** Stores a visit whose number is not stored yet. */
  readonly store: (visit: TokenVisit) => Promise<TokenOutcome>
  /** Called for each visit. */
  readonly onTouch: (visit: TokenVisit) => void
}

const SPOOL_AFTER_MS = 500
/** 2 s are promised: the rest is for the exchange around it. */
const ANSWER_AFTER_MS = 1_900
/** Of the rest, for what an answer reads. */
const EXCHANGE_MS = 50
/** Touches that come within this time share their timers, and are spooled or answered so much earlier. */
const EARLY_MS = 50
/** Tokens whose last answer is cached, for touches while the database is away. */
const OUTCOMES = limit('token_outcomes', 10_000)
/** Touches whose commit is awaited; further ones go to the spool at once. */
const UNCOMMITTED = limit('touches_being_committed', 10_000)
/** The log has one line for this many lost touches. */
const LOST_PER_LINE = 1_000
/** Of a request that names no token, or one whose outcome is not known. */
export const UNKNOWN_TOKEN: TokenOutcome = { kind: undefined, settings: {} }

interface PendingTouch {
  readonly visit: TokenVisit
  readonly resolve: (outcome: TokenOutcome) => void
  isSpooled: boolean
  /** Those with the same deadline. */
  due?: Pick<Set<PendingTouch>, 'delete'>
}

/** Logs each thousandth: what is lost may be a flood. */
function lostTouches(log: TokenTouchesDeps['log']) {
  let lost = 0
  return ({ tokenId }: TokenVisit, reason: unknown): void => {
    if (lost++ % LOST_PER_LINE === 0) log.error({ err: reason, tokenId, lost }, 'touch of a token lost')
  }
}

export function openTokenTouches(deps: TokenTouchesDeps): TokenTouches {
  const { background, log, folder, store, onTouch } = deps
  const { clock, random } = deps.world
  const spoolId = hex(random, 32)
  const pending = new Set<PendingTouch>()
  let seq = 0
  let uncommitted = 0
  const spool = openTouchSpool({
    folder,
    clock,
    random,
    background,
    store,
    onLost: lostTouches(log),
    report: (message) => log.warn(message),
  })
  if (spool.size() > 0)
    log.info({ touches: spool.size(), folder }, 'delivering touches that waited for the database')

  // They outlive changes of the configuration: an answer from before a change is nearer to the right one than the blank page.
  const outcomes = boundedMap<string, TokenOutcome>(OUTCOMES)

  const answering = deadlines<PendingTouch>({
    clock,
    earlyMs: EARLY_MS,
    ms: ANSWER_AFTER_MS - SPOOL_AFTER_MS,
    onDue: ({ visit, resolve }) => resolve(outcomes.get(visit.tokenId) ?? UNKNOWN_TOKEN),
  })
  const spooling = deadlines<PendingTouch>({
    clock,
    earlyMs: EARLY_MS,
    ms: SPOOL_AFTER_MS,
    onDue(touch) {
      append(touch)
      touch.due = answering.add(touch)
    },
  })

  function append(touch: PendingTouch): void {
    if (!touch.isSpooled) spool.append(touch.visit)
    touch.isSpooled = true
  }

  return {
    submit(given, onSettled) {
      onTouch(given)
      // The spool stores it, too.
      const visit = { ...withoutSessionCookies(given), number: { spoolId, seq: ++seq } }
      return new Promise((resolve, reject) => {
        const touch: PendingTouch = { visit, resolve, isSpooled: false }
        touch.due = spooling.add(touch)
        pending.add(touch)
        const onStored = (outcome: TokenOutcome): void => {
          uncommitted--
          outcomes.set(visit.tokenId, outcome)
          pending.delete(touch)
          touch.due?.delete(touch)
          resolve(outcome)
          onSettled?.()
        }
        const onFailed = (error: unknown): void => {
          pending.delete(touch)
          if (isOutage(error) || isRefusalOfAny(error)) append(touch)
          else if (!touch.isSpooled) {
            touch.due?.delete(touch)
            reject(error as Error)
          }
          onSettled?.()
        }
        if (uncommitted >= UNCOMMITTED.max) {
          UNCOMMITTED.hit()
          return onFailed(new Fault('unavailable', `${UNCOMMITTED.max} touches wait for the database.`))
        }
        uncommitted++
        store(visit).then(onStored, (error: unknown) => {
          uncommitted--
          onFailed(error)
        })
      })
    },
    // Where nothing waits in the spool, the commit took less than `SPOOL_AFTER_MS`.
    leftMs: () => (spool.size() > 0 ? EXCHANGE_MS : ANSWER_AFTER_MS - SPOOL_AFTER_MS),
    waiting: spool.size,
    notDurable: spool.unwritten,
    stop() {
      pending.forEach(append)
      const unwritten = spool.unwritten()
      const waiting = spool.size() - unwritten
      if (waiting > 0)
        log.warn({ waiting, folder }, 'touches wait on disk for the database; the next start delivers them')
      if (unwritten > 0)
        log.error({ lost: unwritten, folder }, 'touches of tokens lost: the disk of the spool is full')
      spool.close()
    },
  }
}

// Drives one session: steps each input, runs the effects of the step in order, and steps their results.
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import type { Connection, ConnectionListener } from '../connection.ts'
import { openFrameRate } from '../frame-rate.ts'
import type { Effect, Input, SessionState } from './state.ts'
import { INITIAL_STATE, step } from './step.ts'

export type Notice = 'changed' | 'superseded' | 'stopping' | 'tick'

export interface BirdSession extends ConnectionListener {
  notify(notice: Notice): void
}

/** Runs one effect; what can be done at once is, and answers undefined. */
export type RunEffect = (effect: Effect, session: BirdSession) => Promise<Input | undefined> | undefined

/** Frames of one link that wait; then the console stops reading from the Bird. */
const WAITING_FRAMES = limit('link_waiting_frames', 64)

export function birdSession(connection: Connection, run: RunEffect, clock: Clock, log: Logger): BirdSession {
  let state: SessionState = INITIAL_STATE
  const rate = openFrameRate(clock)
  let waiting = 0
  // The next frame is stepped when all effects of the one before have ended: a batch that fails is never overtaken.
  let frames = Promise.resolve()

  async function apply(input: Input): Promise<void> {
    const { state: next, effects } = step(state, input, clock.now())
    state = next
    for (const effect of effects) {
      let result: Input | undefined
      try {
        const running = run(effect, session)
        if (running === undefined) continue
        result = await running
      } catch (error) {
        return apply({ kind: 'failed', effect: effect.kind, error })
      }
      if (result) await apply(result)
    }
  }

  const dispatch = (input: Input): Promise<void> =>
    apply(input).catch((error: unknown) => {
      log.error({ err: error, address: connection.address, state: state.name }, 'link failed')
      connection.close('an error inside the console')
    })

  const session: BirdSession = {
    receive(frame, remoteKey) {
      const isPending = state.name === 'identified' || state.name === 'pending'
      const breach = rate.breach(frame.kind, isPending)
      if (breach !== undefined) return connection.close(breach)
      const input = { kind: 'frame', frame, remoteKey } as const
      // A heartbeat has nothing to overtake, and its answer tells the Bird that its console can be reached.
      if (frame.kind === 'HEARTBEAT' && 'nodeId' in state) return void dispatch(input)
      if (++waiting === WAITING_FRAMES.max) {
        WAITING_FRAMES.hit()
        connection.pause()
      }
      frames = frames.then(() => dispatch(input))
      void frames.then(() => {
        if (--waiting === WAITING_FRAMES.max / 2) connection.resume()
      })
    },
    notify(notice) {
      void dispatch(notice === 'tick' ? { kind: notice, heardAt: connection.heardAt() } : { kind: notice })
    },
    closed: () => void dispatch({ kind: 'closed' }),
  }
  return session
}

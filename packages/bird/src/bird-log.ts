// What the Bird reports of itself: to its own log at once, to the console's as soon as there is a session.
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Body } from '@rookery/link/messages.ts'
import type { Level } from './options.ts'

/** Lines for the console's log that wait with a Bird; further ones are dropped. */
const UNSENT_LINES = limit('bird_log_lines_unsent', 50)

/** `send` answers whether the line could be sent. */
export function birdLog(
  clock: Pick<Clock, 'now'>,
  log: (level: Level, message: string) => void,
  send: (line: Body<'LOG'>) => boolean,
) {
  const unsent: Body<'LOG'>[] = []
  return {
    /** A sentence for both logs. */
    report(level: Level, message: string) {
      log(level, message)
      const line = { level, at: clock.now(), message: message.slice(0, 2000) }
      if (send(line)) return
      unsent.push(line)
      if (unsent.length <= UNSENT_LINES.max) return
      unsent.shift()
      UNSENT_LINES.hit()
    },
    /** Sends the console the lines that were reported without a session. */
    sendUnsent() {
      for (const line of unsent.splice(0)) send(line)
    },
  }
}

export type BirdLog = ReturnType<typeof birdLog>

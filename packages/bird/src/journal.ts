// What the Bird has to say of itself: to the log at once, to the console when it can be told.
import type { Body } from '@rookery/link/messages.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Level } from './bird.ts'

const MOST_UNSAID = 50

/** `send` answers whether the line could be told; the last fifty that could not wait for `tellConsole`. */
export function journal(
  clock: Pick<Clock, 'now'>,
  log: (level: Level, message: string) => void,
  send: (line: Body<'LOG'>) => boolean,
) {
  const unsaid: Body<'LOG'>[] = []
  return {
    report(level: Level, message: string): void {
      log(level, message)
      const line = { level, at: clock.now(), message: message.slice(0, 2000) }
      if (!send(line) && unsaid.push(line) > MOST_UNSAID) unsaid.shift()
    },
    tellConsole(): void {
      for (const line of unsaid.splice(0)) send(line)
    },
  }
}

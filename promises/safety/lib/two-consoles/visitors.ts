// Visitors who open tokens at an even rate, whatever becomes of the consoles, each with a mark of its own.
import { Agent } from 'node:http'
import { exchange } from '../../../rig/load/exchange.ts'
import { sourceText } from '../../../rig/load/sources.ts'

export interface Visits {
  /** The marks of those that were answered with 200, and after how long. */
  readonly answered: ReadonlyMap<string, number>
  /** Answered otherwise, or not at all: a console that is dead, frozen or about to die. */
  readonly unanswered: number
}

export interface Visitors {
  /** Nobody comes any more; resolves once the last one is answered or refused. May be called again. */
  leave(): Promise<Visits>
}

const EACH_MS = 50
/** Fewer than an incident keeps of its events. */
const VISITS_PER_SOURCE = 20
const PATIENCE_MS = 60_000

/** The mark that a stored event carries as its User-Agent. */
export const MARK = /^visitor \d+$/

/** Each source goes to the consoles in turn: its incident is everyone's. Tokens change with the sources. */
export function sendVisitors(ports: readonly number[], paths: readonly string[]): Visitors {
  const agent = new Agent({ keepAlive: true })
  const answered = new Map<string, number>()
  const under = new Set<Promise<void>>()
  let unanswered = 0
  let next = 0

  function visit(): void {
    const nth = next++
    const source = Math.floor(nth / VISITS_PER_SOURCE)
    const mark = `visitor ${nth}`
    const startedAt = performance.now()
    const answer = exchange({
      agent,
      host: '127.0.0.1',
      port: ports[nth % ports.length],
      path: paths[source % paths.length],
      headers: { 'X-Forwarded-For': sourceText(source), 'User-Agent': mark, Accept: '*/*' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const done = answer.then(
      ({ status }) => {
        if (status === 200) answered.set(mark, performance.now() - startedAt)
        else unanswered++
      },
      () => void unanswered++,
    )
    under.add(done)
    void done.finally(() => under.delete(done))
  }

  const timer = setInterval(() => ports.forEach(visit), EACH_MS)
  return {
    async leave() {
      clearInterval(timer)
      await Promise.all(under)
      agent.destroy()
      return { answered, unanswered }
    },
  }
}

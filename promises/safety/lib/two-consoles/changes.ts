// Changes that an operator asks for: when a console writes again, and what it answered with 200.
import { setTimeout as pause } from 'node:timers/promises'
import type { RunningConsole } from '../../../rig/scenes/console.ts'

export interface Changes {
  /** Resolves with the instant (of `performance`) of the first answer 200 to a change that was asked for after the call. */
  until(console: RunningConsole): Promise<number>
  /** Once every answer is there. */
  answered(): Promise<AnsweredChanges>
}

/** Memos of tokens to be created. */
export interface AnsweredChanges {
  /** Answered with 200. */
  readonly made: ReadonlySet<string>
  /** Answered with anything else. */
  readonly refused: ReadonlySet<string>
}

const EACH_MS = 200
const PATIENCE_MS = 90_000

/** The memo of every change. */
export const CHANGE = /^change \d+$/

export function openChanges(): Changes {
  const made = new Set<string>()
  const refused = new Set<string>()
  const under = new Set<Promise<boolean>>()
  let next = 0

  function change(console: RunningConsole): Promise<boolean> {
    const memo = `change ${next++}`
    const asked = console.post('/decoytoken/create', { kind: 'http', memo, flock_id: 'flock:default' }).then(
      ({ status }) => {
        const isMade = status === 200
        ;(isMade ? made : refused).add(memo)
        return isMade
      },
      () => false,
    )
    under.add(asked)
    void asked.finally(() => under.delete(asked))
    return asked
  }

  return {
    async until(console) {
      let madeAt: number | undefined
      for (const giveUpAt = performance.now() + PATIENCE_MS; performance.now() < giveUpAt;) {
        const asked = change(console).then((isMade) => {
          if (isMade) madeAt ??= performance.now()
        })
        // One that hangs does not keep the next from being asked for.
        await Promise.race([asked, pause(EACH_MS)])
        if (madeAt !== undefined) return madeAt
        await pause(EACH_MS / 4)
      }
      throw new Error(
        `The console on port ${console.port} made no change for ${PATIENCE_MS / 1000} s.\n${console.said()}`,
      )
    },
    async answered() {
      await Promise.all(under)
      return { made, refused }
    },
  }
}

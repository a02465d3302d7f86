// G1: a console is killed again and again while visitors touch tokens and a Bird sends its spool; what it has
// acknowledged must be there, once.
import { randomBytes } from 'node:crypto'
import { keyPair } from '@rookery/link/noise/keys.ts'
import { startConsole, type RunningConsole } from '../../rig/scenes/console.ts'
import { enrolmentSecret } from '../../rig/scenes/enrolment.ts'
import { freshFolder, removeFolder } from '../../rig/folder.ts'
import { connectLink } from '../../rig/load/link-client.ts'
import { openLoader, visitRequest, type Job } from '../../rig/load/load.ts'
import { plantTokens } from '../../rig/scenes/tokens.ts'
import type { Dice } from './dice.ts'
import { eventOf, judge, type Judged } from './judge.ts'

export interface Survived extends Judged {
  /** Of each start after a kill, milliseconds until it served again. */
  readonly readyMs: readonly number[]
}

export interface KillOptions {
  readonly kills: number
  readonly dice: Dice
  readonly tokens?: number
  readonly onKill?: (done: number) => void
}

const SPOOL = 'c'.repeat(32)
const EVENTS_PER_LIFE = 2_000
const EVENTS_PER_BATCH = 20
const MAX_LIFE_MS = 300

export async function surviveKills({ kills, dice, tokens = 1_000, onKill }: KillOptions): Promise<Survived> {
  const folder = freshFolder()
  const loader = openLoader()
  let console: RunningConsole | undefined
  try {
    console = await startConsole({ dataDir: folder })
    const { port, tokensPort, dnsPort } = console
    const requests = (await plantTokens(console, tokens)).map(visitRequest)
    const enrol = await enrolmentSecret(folder)
    const key = keyPair(randomBytes(32))
    const answered: number[] = []
    const readyMs: number[] = []
    let acked = 0
    let onAcked: () => void = () => undefined
    let firstSource = 0

    const link = (upto: (resumedAfter: number) => number) => {
      let last = 0
      return connectLink({
        port,
        key,
        enrol,
        spoolId: SPOOL,
        batchEvents: EVENTS_PER_BATCH,
        eventOf(seq) {
          last ||= upto(seq - 1)
          return seq > last ? undefined : eventOf(seq)
        },
        onAck(number) {
          acked = Math.max(acked, number)
          onAcked()
        },
      })
    }

    const visit = async (job: Pick<Job, 'connections' | 'count' | 'ms'>) => {
      const load = await loader.run({
        host: '127.0.0.1',
        port: tokensPort,
        requests,
        firstSource,
        tellSources: true,
        ...job,
      })
      firstSource = load.nextSource
      answered.push(...load.answered)
    }

    for (let kill = 1; kill <= kills; kill++) {
      // Every second console has acknowledged a hit and some events before it is killed, even on a slow machine.
      const isPatient = kill % 2 === 0
      if (isPatient) await visit({ connections: 1, count: 1 })
      const hits = visit({ connections: 16, ms: 60_000 })
      const sending = link((resumedAfter) => resumedAfter + EVENTS_PER_LIFE).then(
        (client) => client.done,
        // Killed before it could answer: the Bird comes back with what it has.
        () => 0,
      )
      if (isPatient) await Promise.race([sending, new Promise<void>((done) => (onAcked = done))])
      await new Promise((resolve) => setTimeout(resolve, dice.between(1, MAX_LIFE_MS)))
      await console.kill()
      await hits
      await sending
      console = await startConsole({ dataDir: folder, ports: { port, tokensPort, dnsPort } })
      readyMs.push(console.readyMs)
      onKill?.(kill)
    }

    // The Bird brings the rest: what it knows to be acknowledged it does not send again.
    const acknowledged = acked
    const client = await link(() => acknowledged + EVENTS_PER_BATCH)
    await client.done
    client.close()
    await console.stop()
    return { readyMs, ...judge(folder, answered, acked) }
  } finally {
    loader.stop()
    await console?.kill()
    removeFolder(folder)
  }
}

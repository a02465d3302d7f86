// From an intruder's touch of a real decoy on a real Bird to an incident that the API shows.
import { connect } from 'node:net'
import { atMost, exactly, percentile, type Case } from '../rig/case.ts'
import { startConsole, type RunningConsole } from '../rig/scenes/console.ts'
import { freshFolder, removeFolder } from '../rig/folder.ts'
import { DECOY_PORTS } from '../rig/scenes/local-bird.ts'
import { freeOffset } from '../../tools/free-port.ts'
import { scaleNote, sized } from '../rig/scale.ts'

const REDIS = 6379
const POLL_MS = 2
const PATIENCE_MS = 5_000

const visible: Case = {
  id: 'B5',
  title: 'a touch of the local Bird’s Redis decoy until the API shows its incident',
  async run() {
    const folder = freshFolder()
    let console: RunningConsole | undefined
    try {
      const offset = await freeOffset(DECOY_PORTS)
      console = await startConsole({
        dataDir: folder,
        command: 'up',
        env: { ROOKERY_BIRD_PORT_OFFSET: String(offset) },
      })
      await standing(REDIS + offset)
      // Fewer than 200 in a minute, each from another address of this machine, so that each is an incident of its own.
      const touches = sized(150, 30)
      const delays: number[] = []
      let since = 0
      let wrong = 0
      for (let nth = 1; nth <= touches; nth++) {
        const source = `127.9.${nth >> 8}.${nth & 255}`
        const touchedAt = performance.now()
        await redisCommand(REDIS + offset, source)
        const seen = await shown(console, since, touchedAt + PATIENCE_MS)
        delays.push(performance.now() - touchedAt)
        since = seen.since
        if (seen.sources.length !== 1 || seen.sources[0] !== source) wrong++
      }
      const right = exactly('touches shown wrongly or not at all', wrong, '', 0)
      return {
        ok: right.isKept,
        rows: [
          atMost('p50', percentile(delays, 0.5), 'ms', 100),
          atMost('p99', percentile(delays, 0.99), 'ms', 250),
          right,
        ],
        note: `${touches} touches, one after the other, the API polled every ${POLL_MS} ms${scaleNote}`,
      }
    } finally {
      await console?.stop()
      removeFolder(folder)
    }
  },
}
export default visible

/** Sends one command from this address and waits for the decoy's answer. */
function redisCommand(port: number, localAddress: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write('CONFIG GET *\r\n'))
    socket.once('data', () => socket.destroy())
    socket.once('error', reject)
    socket.once('close', () => resolve())
  })
}

/** The sources of what is new, as soon as there is anything; the touch of `standing` is passed over. */
async function shown(console: RunningConsole, since: number, until: number) {
  for (;;) {
    const { json } = await console.get('/incidents/unacknowledged', {
      incidents_since: since,
      event_limit: 1,
    })
    const incidents = json['incidents'] as { description: { src_host: string; logtype: string } }[]
    const sources = incidents
      .filter(({ description }) => description.logtype === '21001')
      .map(({ description }) => description.src_host)
    if (sources.length > 0) return { sources, since: json['max_updated_id'] as number }
    if (performance.now() > until) return { sources: [], since }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Waits until the decoy listens. */
async function standing(port: number): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => (socket.destroy(), resolve(true)))
      socket.once('error', () => resolve(false))
    })
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The local Bird has opened no Redis decoy within 20 s.')
}

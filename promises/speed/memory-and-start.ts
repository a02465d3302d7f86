// What it costs to have it running: memory after a minute of nothing, and the time until it serves.
import { atMost, exactly, type Case, type Row } from '../rig/case.ts'
import { startConsole, type ConsoleOptions } from '../rig/scenes/console.ts'
import { freshFolder, removeFolder } from '../rig/folder.ts'
import { openLoader } from '../rig/load/load.ts'
import { DECOY_PORTS } from '../rig/scenes/local-bird.ts'
import { freeOffset } from '../../tools/free-port.ts'
import { childNamed, familyMb, peakMb } from '../rig/process.ts'
import { median } from '../rig/load/rounds.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { forgeRequests } from './lib/token-files.ts'

const STARTS = 5
const READY_MS = 2_000
const FILES = 100
/** Beyond it the console ends the process. */
const FORGE_MB = 160
/** The process is ended after 30 s without work. */
const FORGE_GONE_MS = 35_000

const footprint: Case = {
  id: 'B18',
  title: 'memory 60 s after the start and 60 s after 100 forged files, and the time until it is ready',
  async run() {
    const waitMs = sized(60_000, 3_000)
    const alone = await stand({ command: 'serve' }, waitMs)
    const offset = await freeOffset(DECOY_PORTS)
    const withBird = await stand(
      { command: 'up', env: { ROOKERY_BIRD_PORT_OFFSET: String(offset) } },
      waitMs,
      (said) => said.includes(String(22 + offset)),
    )
    const forged = await forge(sized(60_000, FORGE_GONE_MS))
    const again = await restarts()
    const rows: Row[] = [
      atMost('memory of console and token server', alone.mb, 'MB', 120),
      atMost('memory with the local Bird', withBird.mb, 'MB', 200),
      atMost(`memory 60 s after ${FILES} forged files`, forged.mb, 'MB', 120),
      atMost('peak of the forge process meanwhile', forged.peakMb, 'MB', FORGE_MB),
      exactly('files refused', forged.refused, '', 0),
      atMost('ready after the first start', alone.readyMs, 'ms', READY_MS),
      atMost('ready with the local Bird', withBird.readyMs, 'ms', READY_MS),
      atMost('ready after a restart', again, 'ms', READY_MS),
    ]
    return {
      ok: alone.ok && withBird.ok && forged.ok,
      rows,
      note: `memory after ${waitMs / 1000} s; files of ${forged.requests} kinds in turn, with and without an upload; restarts: median of ${STARTS}${scaleNote}`,
    }
  },
}
export default footprint

/** Runs it on an empty folder for so long; `expects` must be true of what it printed by then. */
async function stand(
  options: Omit<ConsoleOptions, 'dataDir'>,
  waitMs: number,
  expects: (said: string) => boolean = () => true,
): Promise<{ mb: number; readyMs: number; ok: boolean }> {
  const folder = freshFolder()
  try {
    const console = await startConsole({ ...options, dataDir: folder })
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    const { status } = await console.get('/ping')
    const stood = {
      mb: familyMb(console.pid),
      readyMs: console.readyMs,
      ok: status === 200 && expects(console.said()),
    }
    await console.stop()
    return stood
  } finally {
    removeFolder(folder)
  }
}

interface Forged {
  readonly mb: number
  readonly peakMb: number
  readonly requests: number
  readonly refused: number
  readonly ok: boolean
}

/** All files, then nothing for so long: the forge process ends by itself meanwhile. */
async function forge(waitMs: number): Promise<Forged> {
  const folder = freshFolder()
  const loader = openLoader()
  const console = await startConsole({ dataDir: folder })
  try {
    const requests = await forgeRequests(console)
    const { hits, refused, broken } = await loader.run({
      host: '127.0.0.1',
      port: console.port,
      connections: 1,
      requests,
      count: FILES,
    })
    const forger = childNamed(console.pid, 'forge.process')
    const peak = forger === undefined ? Number.NaN : peakMb(forger)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    return {
      mb: familyMb(console.pid),
      peakMb: peak,
      requests: requests.length,
      refused: refused + broken,
      ok: hits === FILES,
    }
  } finally {
    loader.stop()
    await console.stop()
    removeFolder(folder)
  }
}

async function restarts(): Promise<number> {
  const folder = freshFolder()
  try {
    const times: number[] = []
    for (let start = 0; start <= STARTS; start++) {
      const console = await startConsole({ dataDir: folder })
      if (start > 0) times.push(console.readyMs)
      await console.stop()
    }
    return median(times)
  } finally {
    removeFolder(folder)
  }
}

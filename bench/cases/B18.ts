// What it costs to have it running: memory after a minute of nothing, and the time until it serves.
import { atMost, type Case, type Row } from '../case.ts'
import { startConsole, type ConsoleOptions } from '../lib/console.ts'
import { freshFolder, removeFolder } from '../lib/folder.ts'
import { DECOY_PORTS } from '../lib/local-bird.ts'
import { freeOffset } from '../lib/ports.ts'
import { familyMb } from '../lib/process.ts'
import { median } from '../lib/rounds.ts'
import { scaleNote, sized } from '../lib/scale.ts'

const STARTS = 5
const READY_MS = 2_000

const footprint: Case = {
  id: 'B18',
  title: 'memory 60 s after the start, and the time until it is ready',
  async run() {
    const waitMs = sized(60_000, 3_000)
    const alone = await stand({ command: 'serve' }, waitMs)
    const offset = await freeOffset(DECOY_PORTS)
    const withBird = await stand(
      { command: 'up', env: { ROOKERY_BIRD_PORT_OFFSET: String(offset) } },
      waitMs,
      (said) => said.includes(String(22 + offset)),
    )
    const again = await restarts()
    const rows: Row[] = [
      atMost('memory of console and token server', alone.mb, 'MB', 120),
      atMost('memory with the local Bird', withBird.mb, 'MB', 200),
      atMost('ready after the first start', alone.readyMs, 'ms', READY_MS),
      atMost('ready with the local Bird', withBird.readyMs, 'ms', READY_MS),
      atMost('ready after a restart', again, 'ms', READY_MS),
    ]
    return {
      ok: alone.ok && withBird.ok,
      rows,
      note: `memory after ${waitMs / 1000} s; restarts: median of ${STARTS}${scaleNote}`,
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

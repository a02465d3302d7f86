// Lists at a million incidents, and the price of a page deep inside.
import { atLeast, atMost, exactly, type Case } from '../case.ts'
import { ADMIN, startConsole, type RunningConsole } from '../lib/console.ts'
import { freshFolder, removeFolder } from '../lib/folder.ts'
import { getRequest, openLoader } from '../lib/load.ts'
import { seedIncidents } from '../lib/million.ts'
import { startPeer } from '../lib/peer.ts'
import { peakMb } from '../lib/process.ts'
import { alternate, median } from '../lib/rounds.ts'
import { scaleNote, sized } from '../lib/scale.ts'

const CONNECTIONS = 16
const ROUNDS = 3
const PAGE = 50
const PATH = '/incidents/unacknowledged'

const lists: Case = {
  id: 'B10',
  title: 'list 50 unacknowledged incidents of a Flock, 1 million incidents, 16 connections',
  async run() {
    const folder = freshFolder()
    const loader = openLoader()
    let console: RunningConsole | undefined
    let peer: { port: number; stop(): Promise<void> } | undefined
    try {
      const { incidents, flockIds } = await seedIncidents(folder, sized(1_000_000, 20_000))
      const [flockId = ''] = flockIds
      console = await startConsole({ dataDir: folder })
      const walked = await walk(console, flockId)
      const port = console.port
      peer = await startPeer('sketch-lists', folder, flockId)
      const sketchPort = peer.port

      const ms = sized(4_000, 500)
      const list = (to: number, ...queries: readonly string[]) =>
        loader.run({
          host: '127.0.0.1',
          port: to,
          connections: CONNECTIONS,
          requests: queries.map((query) => getRequest(`/api/v1${PATH}?${query}`, { 'X-Auth-Token': ADMIN })),
          ms,
        })
      const firstPage = `flock_id=${flockId}&limit=${PAGE}`
      const deepPage = `cursor=${encodeURIComponent(walked.deepCursor)}`
      const everyPage = walked.cursors.map((cursor) => `cursor=${encodeURIComponent(cursor)}`)
      await list(port, firstPage)
      const { ours, theirs } = await alternate(
        ROUNDS,
        async () => ({
          first: await list(port, firstPage),
          deep: await list(port, deepPage),
          every: await list(port, ...everyPage),
        }),
        () => list(sketchPort, ''),
      )
      const rate = median(ours.map(({ first }) => first.perSecond))
      const deep = median(ours.map((round) => round.deep.perSecond))
      const every = median(ours.map((round) => round.every.perSecond))
      const refused = ours
        .flatMap((round) => [round.first.refused, round.deep.refused, round.every.refused])
        .reduce((a, b) => a + b, 0)
      const seen = exactly('unacknowledged incidents missed or repeated', walked.wrong, '', 0)
      return {
        ok: seen.isKept && refused === 0 && walked.seen === incidents / flockIds.length / 2,
        rows: [
          atLeast('first pages', rate, '/s', 1_500, median(theirs.map((load) => load.perSecond))),
          atMost('p99 of the first page', median(ours.map(({ first }) => first.p99)), 'ms', 50),
          atLeast('share of that, deep inside', (100 * deep) / rate, '%', 90),
          atMost('peak memory', peakMb(console.pid), 'MB', 400),
          seen,
        ],
        note: `${incidents} incidents; the deep page begins at ${walked.depth} of ${walked.seen}; all ${everyPage.length} pages in turn, none remembered: ${Math.round(every)}/s; beside: node:http + node:sqlite over the same table${scaleNote}`,
      }
    } finally {
      loader.stop()
      await peer?.stop()
      await console?.stop()
      removeFolder(folder)
    }
  },
}
export default lists

interface Listed {
  readonly incidents: readonly { readonly id: string; readonly description: { readonly created: string } }[]
  readonly cursor: { readonly next: string | null }
}

/** Reads the whole list page by page; keeps the cursor at three quarters of the way. */
async function walk(console: RunningConsole, flockId: string) {
  const seen = new Set<string>()
  const cursors: { cursor: string; depth: number }[] = []
  let wrong = 0
  let last = 0
  let next: string | null | undefined
  while (next !== null) {
    const params = next === undefined ? { flock_id: flockId, limit: PAGE } : { cursor: next }
    const { status, text, json } = await console.get(PATH, params)
    if (status !== 200) throw new Error(`A list was refused: ${status} ${text}`)
    const { incidents, cursor } = json as unknown as Listed
    for (const { id, description } of incidents) {
      const created = Number(description.created)
      if (seen.has(id) || created < last) wrong++
      seen.add(id)
      last = created
    }
    next = cursor.next
    if (next !== null) cursors.push({ cursor: next, depth: seen.size })
  }
  const deep = cursors[Math.floor(cursors.length * 0.75)]
  return {
    wrong,
    seen: seen.size,
    deepCursor: deep?.cursor ?? '',
    depth: deep?.depth ?? 0,
    cursors: cursors.map(({ cursor }) => cursor),
  }
}

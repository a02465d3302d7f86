// Hits while somebody searches: a search of seconds must not be felt where intruders are answered.
import { atLeast, atMost, exactly, type Case } from '../rig/case.ts'
import type { RunningConsole } from '../rig/scenes/console.ts'
import { freshFolder, removeFolder } from '../rig/folder.ts'
import { onHits } from '../rig/scenes/hits.ts'
import { seedIncidents } from '../rig/scenes/million.ts'
import { median } from '../rig/load/rounds.ts'
import { scaleNote, sized } from '../rig/scale.ts'

const TOKENS = 2_000
const ROUNDS = 3
/** Text of no source, so that every search walks all of them. */
const RARE = 'nowhere.example'

const during: Case = {
  id: 'B1s',
  title: 'token hits while searches over 1 million incidents run one after the other',
  async run() {
    const folder = freshFolder()
    try {
      const { incidents } = await seedIncidents(folder, sized(1_000_000, 20_000))
      return await onHits(
        TOKENS,
        async (scene) => {
          await scene.hit({ ms: sized(3_000, 500) })
          const quiet: number[] = []
          const searched: { p99: number; perSecond: number }[] = []
          const searches: number[] = []
          let wrong = 0
          for (let round = 0; round < ROUNDS; round++) {
            const alone = await scene.hit({ ms: sized(4_000, 500) })
            quiet.push(alone.p99)
            const searching = searchOn(scene.console)
            searched.push(await scene.hit({ ms: sized(6_000, 800) }))
            const { times, failures } = await searching.stop()
            searches.push(...times)
            wrong += failures
          }
          const stored = exactly('events stored less hits answered', scene.stored() - scene.answered(), '', 0)
          return {
            ok: stored.isKept && scene.refused() === 0 && wrong === 0 && searches.length > 0,
            rows: [
              atMost('p99 of hits meanwhile', median(searched.map((it) => it.p99)), 'ms', 50, median(quiet)),
              atLeast('searches that ran', searches.length, '', 1),
              stored,
            ],
            note: `${incidents} incidents; a search took ${(median(searches) / 1000).toFixed(2)} s, hits came at ${Math.round(median(searched.map((it) => it.perSecond)))}/s; compared with a run without searches${scaleNote}`,
          }
        },
        { dataDir: folder },
      )
    } finally {
      removeFolder(folder)
    }
  },
}
export default during

/** Searches without a pause until it is stopped. */
function searchOn(console: RunningConsole) {
  const times: number[] = []
  let failures = 0
  let isOver = false
  const going = (async () => {
    while (!isOver) {
      const startedAt = performance.now()
      const { status, json } = await console.get('/incidents/search', {
        filter_str: RARE,
        filter_incident_state: 'all',
        limit: 50,
      })
      times.push(performance.now() - startedAt)
      if (status !== 200 || json['total_results'] !== 0) failures++
    }
  })()
  return {
    async stop() {
      isOver = true
      await going
      return { times, failures }
    },
  }
}

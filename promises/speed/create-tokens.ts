// Tokens made by a factory, each stored before its answer, with its row of the audit trail.
import { atLeast, atMost, exactly, type Case } from '../rig/case.ts'
import type { RunningConsole } from '../rig/scenes/console.ts'
import { onBothEngines, type OnEngine } from '../rig/scenes/engines.ts'
import { openLoader, postRequest } from '../rig/load/load.ts'
import { startSketch } from '../rig/sketches/start-sketch.ts'
import { peakMb } from '../rig/process.ts'
import { median } from '../rig/load/rounds.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { measureTextKinds } from './lib/text-kinds.ts'
import { measureBatch } from './lib/token-batch.ts'
import { measureFiles } from './lib/token-files.ts'

const CONNECTIONS = 64
const MEMOS = 256
const ROUNDS = 3
const PATH = '/api/v1/decoytoken/factory/create'

const creation: Case = {
  id: 'B4',
  title:
    'creation of tokens by a factory, each stored before its answer, 64 connections: http tokens, all text kinds, files, a CSV',
  run: () =>
    onBothEngines(async (sqlite, postgres) => {
      const loader = openLoader()
      const peer = await startSketch('plant', sqlite.folder)
      try {
        const scenes = [await openScene(sqlite), await openScene(postgres)] as const
        const [ours, theirs] = scenes
        const make = async (scene: Scene, ms: number): Promise<number> => {
          const load = await loader.run({
            host: '127.0.0.1',
            port: scene.console.port,
            connections: CONNECTIONS,
            requests: scene.orders,
            ms,
          })
          scene.made += load.hits - load.refused
          scene.refused += load.refused + load.broken
          return load.perSecond
        }
        const sketch = async (ms: number): Promise<number> =>
          (
            await loader.run({
              host: '127.0.0.1',
              port: peer.port,
              connections: CONNECTIONS,
              requests: ours.orders,
              ms,
            })
          ).perSecond

        for (const scene of scenes) await make(scene, sized(2_000, 500))
        await sketch(sized(1_000, 300))
        const rates: { sqlite: number; postgres: number; sketch: number }[] = []
        const ms = sized(4_000, 500)
        for (let round = 0; round < ROUNDS; round++) {
          rates.push({
            sqlite: await make(ours, ms),
            sketch: await sketch(ms),
            postgres: await make(theirs, ms),
          })
        }
        const rate = median(rates.map((it) => it.sqlite))
        const onPostgres = median(rates.map((it) => it.postgres))
        const bare = median(rates.map((it) => it.sketch))
        const refused = exactly('orders refused', ours.refused + theirs.refused, '', 0)
        const missing = [await ours.missing(), await theirs.missing()]
        const [tokens, rows] = [
          exactly('tokens stored less tokens answered', sum(missing.map((it) => it.tokens)), '', 0),
          exactly('rows of the trail less tokens answered', sum(missing.map((it) => it.trail)), '', 0),
        ]
        const peak = peakMb(ours.console.pid)
        const texts = await measureTextKinds(ours.console, loader, ours.factoryAuth)
        const files = await measureFiles(ours.console, loader)
        const batch = await measureBatch(ours.console)
        return {
          ok: refused.isKept && tokens.isKept && rows.isKept,
          rows: [
            atLeast('durable tokens', rate, '/s', 3_000, bare),
            atLeast('on PostgreSQL, of the rate on SQLite', (100 * onPostgres) / rate, '%', 40),
            atMost('peak memory', peak, 'MB', 400),
            tokens,
            rows,
            refused,
            ...texts.rows,
            ...files,
            ...batch,
          ],
          note: `${ours.made} tokens on SQLite, ${theirs.made} on PostgreSQL (${Math.round(onPostgres)}/s); reference: node:http + grouped node:sqlite, one row a token; ${texts.note}${scaleNote}`,
        }
      } finally {
        loader.stop()
        await peer.stop()
      }
    }),
}
export default creation

interface Scene {
  readonly console: RunningConsole
  readonly factoryAuth: string
  readonly orders: readonly string[]
  made: number
  refused: number
  /** How many rows there are too many (or too few) for the answers given. */
  missing(): Promise<{ tokens: number; trail: number }>
}

async function openScene({ start, row }: OnEngine): Promise<Scene> {
  const console = await start()
  const { json } = await console.post('/decoytoken/create_factory', {
    flock_id: 'flock:default',
    memo: 'Image build',
  })
  const factoryAuth = String(json['factory_auth'])
  const orders = Array.from({ length: MEMOS }, (_, at) =>
    postRequest(PATH, { factory_auth: factoryAuth, kind: 'http', memo: `Backup script of host ${at}` }),
  )
  const count = async (from: string): Promise<number> =>
    Number((await row<{ n: number | string }>(`SELECT count(*) AS n FROM ${from}`)).n)
  const scene: Scene = {
    console,
    factoryAuth,
    orders,
    made: 0,
    refused: 0,
    missing: async () => ({
      tokens: (await count('token')) - scene.made,
      trail: (await count("audit WHERE action_type = 'token_factory.create'")) - scene.made,
    }),
  }
  return scene
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + Math.abs(b), 0)

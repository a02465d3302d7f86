// The scene of B1 and its kin: a console with planted tokens, a load generator, a folder that is gone afterwards.
import { startConsole, type ConsoleOptions, type RunningConsole } from './console.ts'
import { freshFolder, removeFolder } from '../folder.ts'
import { openLoader, visitRequest, type Load, type Loader } from '../load/load.ts'
import { startSketch, type Sketch } from '../sketches/start-sketch.ts'
import { countedEvents } from './stored.ts'
import { plantTokens } from './tokens.ts'

const CONNECTIONS = 32

export interface HitScene {
  readonly folder: string
  readonly console: RunningConsole
  readonly loader: Loader
  /** Visits to all tokens, each by a source of its own; `requests` narrows them. */
  hit(job: { ms?: number; count?: number; connections?: number; requests?: readonly string[] }): Promise<Load>
  readonly requests: readonly string[]
  /** Visits answered so far, and those of them that were refused. */
  answered(): number
  refused(): number
  /** Events of the database now, those from before the scene left out. */
  stored(): number
}

/** Runs `play` in a scene with so many tokens and takes everything down afterwards. */
export async function onHits<T>(
  tokens: number,
  play: (scene: HitScene) => Promise<T>,
  options: Omit<ConsoleOptions, 'dataDir'> & { readonly dataDir?: string } = {},
): Promise<T> {
  const folder = options.dataDir ?? freshFolder()
  const loader = openLoader()
  let console: RunningConsole | undefined
  try {
    console = await startConsole({ ...options, dataDir: folder })
    const { tokensPort } = console
    const requests = (await plantTokens(console, tokens)).map(visitRequest)
    const before = countedEvents(folder)
    let nextSource = 0
    let answered = 0
    let refused = 0
    return await play({
      folder,
      console,
      loader,
      requests,
      answered: () => answered,
      refused: () => refused,
      stored: () => countedEvents(folder) - before,
      async hit({ connections = CONNECTIONS, ...job }) {
        const load = await loader.run({
          host: '127.0.0.1',
          port: tokensPort,
          requests,
          firstSource: nextSource,
          connections,
          ...job,
        })
        nextSource = load.nextSource
        answered += load.hits
        refused += load.refused + load.broken
        return load
      },
    })
  } finally {
    loader.stop()
    await console?.stop()
    if (options.dataDir === undefined) removeFolder(folder)
  }
}

/** Runs `play` with the bare sketch and the scene on the same disk; `hit` puts the same load on it. */
export async function alternateWithSketch<T>(
  { folder, loader, requests }: HitScene,
  play: (hit: (job: { ms?: number; connections?: number }) => Promise<Load>) => Promise<T>,
): Promise<T> {
  const peer: Sketch = await startSketch('hits', folder)
  try {
    return await play(({ connections = CONNECTIONS, ...job }) =>
      loader.run({ host: '127.0.0.1', port: peer.port, requests, connections, ...job }),
    )
  } finally {
    await peer.stop()
  }
}

// A console with very many tokens that can be touched, and visits to those of them that nobody has touched yet.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newTokenId } from '@rookery/console/secrets/token-id.ts'
import { openVault } from '@rookery/console/secrets/vault.ts'
import { systemRandom } from '@rookery/console/world/system.ts'
import type { RunningConsole } from './console.ts'
import type { OnEngine } from './engines.ts'
import { visitRequest, type Load, type Loader } from '../load/load.ts'
import { seedTokens } from './many-tokens.ts'
import { noiseRequests } from '../load/noise.ts'

export interface LookUps {
  readonly console: RunningConsole
  /** One connection visits so many tokens, each for the first time; a few that no cache has. */
  hit(loader: Loader, count: number): Promise<Load>
  /** The same with ids of this console whose tokens are gone: the database is asked, and finds none. */
  gone(loader: Loader, count: number): Promise<Load>
  /** The same with what the internet asks of any web server. */
  miss(loader: Loader, count: number): Promise<Load>
  /** Events that the incidents count. */
  events(): Promise<number>
}

/** Of the tokens, so many can be visited once; they are spread over all of them. */
export async function openLookUps(on: OnEngine, tokens: number, visits: number): Promise<LookUps> {
  const every = Math.floor(tokens / visits)
  const visited: string[] = []
  let newId: (() => string) | undefined
  await seedTokens(on, tokens, (at) => {
    newId ??= issuer(on.folder)
    const id = newId()
    if (at % every === 0) visited.push(id)
    return id
  })
  const { url, id } = await on.row<{ url: string; id: string }>(
    'SELECT url, token_id AS id FROM token LIMIT 1',
  )
  const console = await on.start()
  let nextSource = 0
  const ask = async (loader: Loader, requests: readonly string[], count: number): Promise<Load> => {
    const load = await loader.run({
      host: '127.0.0.1',
      port: console.tokensPort,
      connections: 1,
      count,
      requests,
      firstSource: nextSource,
    })
    nextSource = load.nextSource
    return load
  }
  const visit = (loader: Loader, ids: readonly string[]): Promise<Load> =>
    ask(
      loader,
      ids.map((it) => visitRequest(url.replaceAll(id, it))),
      ids.length,
    )
  return {
    console,
    hit: (loader, count) => visit(loader, visited.splice(0, count)),
    miss: (loader, count) => ask(loader, noiseRequests(), count),
    gone: (loader, count) => visit(loader, Array.from({ length: count }, newId ?? issuer(on.folder))),
    events: async () =>
      Number(
        (await on.row<{ n: number | string }>('SELECT coalesce(sum(events_count), 0) AS n FROM incident')).n,
      ),
  }
}

/** Ids with the MAC of the console of this folder. */
function issuer(folder: string): () => string {
  const key = Buffer.from(readFileSync(join(folder, 'master.key'), 'utf8').trim(), 'hex')
  const vault = openVault(key, systemRandom)
  return () => newTokenId(systemRandom, vault)
}

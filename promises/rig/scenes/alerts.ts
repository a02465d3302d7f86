// The scene of B6 to B8: a console whose tokens are touched, and receivers that note when each alert came.
import { request, Agent } from 'node:http'
import { join } from 'node:path'
import { percentile } from '../case.ts'
import { startConsole, type RunningConsole } from './console.ts'
import { freshFolder, removeFolder } from '../folder.ts'
import {
  accept,
  addReceiver,
  openReceiver,
  removeReceiver,
  type AlertReceiver,
  type Behaviour,
} from './receiver.ts'
import { sourceText } from '../load/sources.ts'
import { reading } from './stored.ts'
import { plantTokens } from './tokens.ts'

export interface AlertScene {
  readonly folder: string
  readonly console: RunningConsole
  readonly urls: readonly string[]
  readonly healthy: AlertReceiver
  /** Adds another receiver that behaves so. */
  join(behave: Behaviour): Promise<AlertReceiver>
  /** Takes it away again; what waits for it is dropped. */
  leave(receiver: AlertReceiver): Promise<void>
  /** Touches tokens at an even rate, each time from a new source; answers the delay of each alert at the healthy receiver, ms. */
  touch(perSecond: number, count: number): Promise<number[]>
}

export const p50 = (samples: readonly number[]): number => percentile(samples, 0.5)
export const p99 = (samples: readonly number[]): number => percentile(samples, 0.99)

/** Runs `play` in a scene without the bound of 60 alerts a minute, and takes everything down afterwards. */
export async function onAlerts<T>(tokens: number, play: (scene: AlertScene) => Promise<T>): Promise<T> {
  const folder = freshFolder()
  const receivers: AlertReceiver[] = []
  let console: RunningConsole | undefined
  let touched = 0
  try {
    const standing = (console = await startConsole({
      dataDir: folder,
      program: join(import.meta.dirname, 'unlimited.child.ts'),
      env: { ROOKERY_OUTBOUND_ALLOW: '127.0.0.0/8' },
    }))
    const urls = await plantTokens(console, tokens)
    const joined = async (behave: Behaviour): Promise<AlertReceiver> => {
      const receiver = await openReceiver(behave)
      receivers.push(receiver)
      await addReceiver(standing, receiver.url)
      return receiver
    }
    const healthy = await joined(accept)
    return await play({
      folder,
      console,
      urls,
      healthy,
      join: joined,
      async leave(receiver) {
        await removeReceiver(standing, receiver.url)
        receiver.stop()
      },
      async touch(perSecond, count) {
        const sentAt = new Map<string, number>()
        const before = healthy.alerts.length
        const agent = new Agent({ keepAlive: true })
        const asked: Promise<void>[] = []
        const startedAt = performance.now()
        for (let nth = 0; nth < count; nth++) {
          const wait = startedAt + (nth * 1000) / perSecond - performance.now()
          if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
          const source = sourceText(touched)
          sentAt.set(source, performance.timeOrigin + performance.now())
          asked.push(visit(agent, urls[touched++ % urls.length] ?? '', source))
        }
        await Promise.all(asked)
        await healthy.until(before + count, 30_000)
        agent.destroy()
        return healthy.alerts.slice(before).map(({ at, source }) => {
          const sent = sentAt.get(source)
          if (sent === undefined) throw new Error(`An alert names ${source}, who touched nothing.`)
          sentAt.delete(source)
          return at - sent
        })
      },
    })
  } finally {
    for (const receiver of receivers) receiver.stop()
    await console?.stop()
    removeFolder(folder)
  }
}

function visit(agent: Agent, url: string, source: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-Forwarded-For': source, 'User-Agent': 'bench', Accept: '*/*' }
    const asking = request(url, { agent, headers }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`A touch was answered ${response.statusCode}.`))
      })
    })
    asking.on('error', reject)
    asking.end()
  })
}

/** How many messages of the outbox are in each state. */
export const outboxOf = (folder: string): Record<string, number> =>
  reading(folder, (db) => {
    const rows = db.prepare('SELECT state, count(*) AS n FROM delivery GROUP BY state').all() as {
      state: string
      n: number
    }[]
    return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
  })

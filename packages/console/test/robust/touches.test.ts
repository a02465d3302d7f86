// Touches that were answered while the database was away, or its disk full, survive a kill, and count once each.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deliverSpool } from '../../src/maintenance/deliver-spool.ts'
import { examineFolder } from '../../src/maintenance/doctor.ts'
import { readConfig } from '../../src/config/config.ts'
import { openDataFolder } from '../../src/data-folder.ts'
import { ownFolder } from '../own-folder.ts'
import { openProxy } from '../postgres-proxy.ts'
import { engines, openTestConsole } from '../test-console.ts'
import { startConsole, type ConsoleProcess } from '../touches-of-killed-console.ts'

async function start(dataDir: string, url: string) {
  const started = await startConsole(dataDir, url)
  onTestFinished(() => void started.process.kill('SIGKILL'))
  return started
}

/** A commit that takes long under load leaves a touch in the spool for a while. */
const committed = (console: ConsoleProcess): Promise<void> =>
  expect.poll(() => console.gauge('rookery_touches_waiting')).toBe(0)

describe.each(engines)('a numbered visit (%s)', (engine) => {
  it('counts once, however often and in whatever order it comes; its answer is the same', async () => {
    const rookery = await openTestConsole({ engine })
    const { decoytoken } = await rookery.api.tokens.create({
      kind: 'http',
      memo: 'm',
      flock_id: 'flock:default',
    })
    const send = (seq: number) => {
      const headers = { 'User-Agent': `visitor ${seq}` }
      const source = { srcHost: '192.0.2.7', dstPort: 80 }
      return rookery.console.ingest.fromToken({
        tokenId: decoytoken.decoytoken,
        visit: { channel: 'http', method: 'GET', path: '/', headers, ...source },
        srcPort: 0,
        dstHost: '127.0.0.1',
        receivedAt: Date.now(),
        number: { spoolId: 's', seq },
      })
    }
    const outcomes = [...(await Promise.all([1, 4, 2, 4].map(send))), await send(2), await send(3)]
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['http']))
    await rookery.restart()
    await send(4)
    const { incidents } = await rookery.api.incidentQueries.all()
    expect(incidents.map(({ description }) => description.events_count)).toEqual(['4'])
  })
})

describe('touches answered while PostgreSQL is away', () => {
  it('count once each after a kill', async () => {
    const proxy = await openProxy()
    const folder = ownFolder()
    const killed = await start(folder, proxy.url)
    const tokenId = await killed.plant()
    await killed.touch(tokenId, 1)
    await committed(killed)
    proxy.shut()
    expect(await killed.touch(tokenId, 20)).toEqual(Array<number>(20).fill(200))
    expect(await killed.gauge('rookery_touches_waiting')).toBe(20)
    await killed.kill()
    const config = readConfig({ ROOKERY_DATA_DIR: folder, ROOKERY_DATABASE_URL: proxy.url })
    const finding = examineFolder(openDataFolder(folder), config).find(({ about }) => about === 'touches')
    expect(finding?.text).toContain('20 touches of tokens wait')
    proxy.open()
    const next = await start(folder, proxy.url)
    await expect.poll(() => next.gauge('rookery_touches_waiting')).toBe(0)
    expect(await next.countEvents()).toBe(21)
    await next.kill()
    const again = await start(folder, proxy.url)
    expect([await again.gauge('rookery_touches_waiting'), await again.countEvents()]).toEqual([0, 21])
  })

  it('of a console that is gone are taken over by another, once each', async () => {
    const proxy = await openProxy()
    const folder = ownFolder()
    const killed = await start(folder, proxy.url)
    const tokenId = await killed.plant()
    await killed.touch(tokenId, 1)
    await committed(killed)
    proxy.shut()
    await killed.touch(tokenId, 5)
    const env = {
      ROOKERY_DATABASE_URL: proxy.directUrl,
      ROOKERY_MASTER_KEY: readFileSync(join(folder, 'master.key'), 'utf8').trim(),
    }
    const { console, api } = await openTestConsole({ env })
    const config = readConfig(env)
    const deliver = () => deliverSpool(console.base, config, join(folder, 'touches'))
    await expect(deliver()).rejects.toMatchObject({ code: 'conflict' })
    await killed.kill()
    expect(await deliver()).toEqual({ delivered: 5, lost: 0 })
    expect(await deliver()).toEqual({ delivered: 0, lost: 0 })
    await expect(deliverSpool(console.base, config, folder)).rejects.toThrow('holds no spool')
    const { incidents } = await api.incidentQueries.all()
    expect(incidents.map(({ description }) => description.events_count)).toEqual(['6'])
  })

  it('count once when the connection is cut in COMMIT and the server then stays away', async () => {
    const proxy = await openProxy()
    const rookery = await openTestConsole({ env: { ROOKERY_DATABASE_URL: proxy.url } })
    const { decoytoken } = await rookery.api.tokens.create({
      kind: 'http',
      memo: 'm',
      flock_id: 'flock:default',
    })
    proxy.cutNextCommit('after the commit')
    const answered = fetch(`${rookery.console.tokensUrl}/${decoytoken.decoytoken}`)
    await expect.poll(proxy.cuts, { interval: 1 }).toBe(1)
    proxy.shut()
    expect((await answered).status).toBe(200)
    proxy.open()
    const waiting = async () =>
      /^rookery_touches_waiting (\d+)/m.exec(
        await (await fetch(`${rookery.console.apiUrl}/metrics`)).text(),
      )?.[1]
    await expect.poll(waiting).toBe('0')
    const { incidents } = await rookery.api.incidentQueries.all()
    expect(incidents.map(({ description }) => description.events_count)).toEqual(['1'])
  })
})

const MOUNT = 'mount -t tmpfs -o size=96m,mode=700 tmpfs "$1"'
const inNamespace = (script: string, ...args: string[]) =>
  spawnSync('unshare', ['-rm', 'sh', '-c', script, 'sh', ...args], { encoding: 'utf8', timeout: 60_000 })
const canMount = inNamespace(MOUNT, tmpdir()).status === 0

it.skipIf(!canMount)(
  `touches and logins answered while the disk of SQLite is full count once each after a kill${canMount ? '' : ' (skipped: no mount namespace)'}`,
  () => {
    const child = fileURLToPath(new URL('./touches-disk.child.ts', import.meta.url))
    const run = `${MOUNT} && exec "$2" --disable-warning=ExperimentalWarning "$3" "$1"`
    const { stdout, stderr, status } = inNamespace(run, ownFolder(), process.execPath, child)
    expect(status, stderr).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      answered: 20,
      refusals: [
        expect.stringContaining('Access denied for user'),
        expect.stringContaining('no pg_hba.conf entry'),
      ],
      full: 1,
      waiting: 22,
      notDurable: 0,
      events: 23,
      eventsAfterRestart: 23,
    })
  },
)

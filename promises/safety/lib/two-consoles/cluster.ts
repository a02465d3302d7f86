// A PostgreSQL primary with a synchronous standby, and what a manager such as Patroni does for them.
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../../tools/free-port.ts'
import { initialiseServer, serverProgram } from '../../../../tools/postgres.ts'
import { openBalancer } from './balancer.ts'
import { ask, copyServer, startServerProcess, type Server } from './server.ts'

export interface Cluster {
  readonly database: string
  /** The port of the server that takes writes, as far as the cluster knows. */
  port(): number
  query<R>(text: string, values?: readonly unknown[]): Promise<R[]>
  killPrimary(): Promise<void>
  /** The standby gets nothing more of its primary, and the manager does not notice: commits wait for it. */
  silenceStandby(): void
  /** Starts the killed primary again. */
  restart(): Promise<void>
  /** The standby takes the place of the killed primary, with what it has got. */
  promote(): Promise<void>
  /** Resolves once a synchronous standby has every commit; makes one where none is. */
  ensureStandby(): Promise<void>
  stop(): Promise<void>
}

const FLAGS = [
  'max_connections=60',
  'shared_buffers=64MB',
  'max_wal_senders=4',
  'wal_keep_size=256MB',
  // The base backup was copied by the gate, and a kill loses nothing that the system has.
  'recovery_init_sync_method=syncfs',
  'wal_retrieve_retry_interval=500ms',
]
const STANDBY = 'standby'
const SYNCHRONOUS_MS = 30_000
const DATABASE = 'rookery'

export async function startCluster(folder: string, settings: readonly string[] = []): Promise<Cluster> {
  chmodSync(folder, 0o755)
  const places = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const home = join(folder, name)
      mkdirSync(home)
      chmodSync(home, 0o755)
      return { home, data: join(home, 'data'), port: await freePort() }
    }),
  )
  const [first, second] = places
  if (!first || !second) throw new Error('A cluster has two servers.')
  const made = await initialiseServer({ folder, dataFolder: first.home, port: first.port })
  const program = serverProgram(folder)
  const replication = await openBalancer(first.port)
  /** `at` is the primary's place, `1 - at` the standby's. */
  let at: 0 | 1 = 0
  let standby: Server | undefined
  const placeOf = (index: 0 | 1) => (index === 0 ? first : second)

  function start(index: 0 | 1): Promise<Server> {
    const { data, port } = placeOf(index)
    const upstream = `host=127.0.0.1 port=${replication.port} user=rookery password=rookery`
    const follow = `primary_conninfo=${upstream} application_name=${STANDBY}`
    return startServerProcess({ program, data, port, flags: [...FLAGS, ...settings, follow] })
  }

  let primary = await start(0)
  await primary.query(`CREATE DATABASE ${DATABASE}`)

  /** As Patroni's `synchronous_mode`: commits wait for a standby only while there is one. */
  async function wantStandby(name: string): Promise<void> {
    await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`)
    await primary.query('SELECT pg_reload_conf()')
  }

  async function isSynchronous(): Promise<boolean> {
    const rows = await primary.query(
      `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'`,
    )
    return rows.length > 0
  }

  const cluster: Cluster = {
    database: DATABASE,
    port: () => placeOf(at).port,
    query: (text, values) => ask(placeOf(at).port, DATABASE, text, values),
    killPrimary: () => primary.kill(),
    silenceStandby: replication.silence,
    async restart() {
      primary = await start(at)
    },
    async promote() {
      if (!standby) throw new Error('There is no standby to promote.')
      replication.endSessions()
      await standby.query('SELECT pg_promote(true, 30)')
      primary = standby
      standby = undefined
      at = at === 0 ? 1 : 0
      await wantStandby('')
    },
    async ensureStandby() {
      if (!standby) {
        const place = at === 0 ? 1 : 0
        await copyServer(primary, placeOf(place).data)
        replication.route(primary.port)
        standby = await start(place)
        await wantStandby(STANDBY)
      }
      for (const until = performance.now() + SYNCHRONOUS_MS; !(await isSynchronous()); await pause(20))
        if (performance.now() > until) throw new Error('The standby does not follow its primary.')
    },
    async stop() {
      await Promise.all([primary.kill(), standby?.kill()])
      replication.stop()
      await made.stop()
    },
  }
  try {
    await cluster.ensureStandby()
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

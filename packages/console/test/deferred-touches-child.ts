// A console in a process of its own, to be killed while touches wait for a name: node deferred-touches-child.ts DATA_DIR COUNT.
// Its resolver never answers. Stores COUNT touches of a Bird, prints its API's address and, once they are acknowledged, `stored`.
import { pino } from 'pino'
import { openConsole } from '../src/build.ts'
import { readConfig } from '../src/config/config.ts'
import { openRealWorld } from '../src/world/real.ts'
import { addBird } from './birds.ts'

const ADMIN = '0123456789abcdef0123456789abcdef'
const NODE = '00000000000000aa'
const HOUR_MS = 3_600_000

const [dataDir = '', count = '0'] = process.argv.slice(2)
const config = readConfig({
  ROOKERY_DATA_DIR: dataDir,
  ROOKERY_LISTEN: '127.0.0.1:0',
  ROOKERY_BOOTSTRAP_KEY: ADMIN,
})
const real = openRealWorld(config)
const isFirst = Number(count) > 0
const console = await openConsole({
  config,
  world: {
    ...real,
    // Touches that the first console defers are old when the second one starts.
    clock: { ...real.clock, now: () => Date.now() - (isFirst ? HOUR_MS : 0) },
    resolver: {
      reverse: () => (isFirst ? new Promise(() => undefined) : Promise.resolve([])),
      addresses: () => Promise.resolve([]),
    },
  },
  log: pino({ level: 'silent' }),
  parts: ['api'],
})
const { apiUrl, ingest } = console
process.stdout.write(`${apiUrl ?? ''}\n`)

if (isFirst) {
  await addBird({ console }, { node_id: NODE, name: 'nas-02' })
  await fetch(`${apiUrl}/api/v1/settings/ignore_hostnames`, {
    method: 'POST',
    headers: { 'X-Auth-Token': ADMIN },
    body: new URLSearchParams({ hostnames: 'scanners.example.com' }),
  })
  const at = Date.now() - HOUR_MS
  const upto = await ingest.fromBird({
    nodeId: NODE,
    spoolId: 's',
    receivedAt: at,
    events: Array.from({ length: Number(count) }, (_, n) => ({
      seq: n + 1,
      touch: {
        nodeId: NODE,
        logtype: '4002',
        instance: 'ssh',
        at,
        srcHost: `198.51.100.${n % 10}`,
        srcPort: n,
        dstHost: '',
        dstPort: 22,
        fields: { n },
      },
    })),
  })
  if (upto === Number(count)) process.stdout.write('stored\n')
}

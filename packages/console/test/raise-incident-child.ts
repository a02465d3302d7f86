// A console in a process of its own, to be killed: node raise-incident-child.ts DATA_DIR RECEIVER COUNT.
// Raises COUNT incidents as fast as they are stored; prints the source of each once it is committed.
import { pino } from 'pino'
import { openConsole } from '../src/build.ts'
import { readConfig } from '../src/config/config.ts'
import { openRealWorld } from '../src/world/real.ts'

const ADMIN = '0123456789abcdef0123456789abcdef'
const FLOCK = 'flock:default'

const [dataDir = '', receiver = '', count = '0'] = process.argv.slice(2)
const config = readConfig({
  ROOKERY_DATA_DIR: dataDir,
  ROOKERY_LISTEN: '127.0.0.1:0',
  ROOKERY_BOOTSTRAP_KEY: ADMIN,
  ROOKERY_OUTBOUND_ALLOW: '127.0.0.0/8',
})
const { apiUrl, ingest } = await openConsole({
  config,
  world: openRealWorld(config),
  log: pino({ level: 'silent' }),
  parts: ['api'],
  alerting: { perMinute: Infinity },
})
if (Number(count) > 0) {
  await fetch(`${apiUrl}/api/v1/flock/settings/webhooks/generic/add`, {
    method: 'POST',
    headers: { 'X-Auth-Token': ADMIN },
    body: new URLSearchParams({ flock_id: FLOCK, url: receiver }),
  })
}
process.stdout.write('ready\n')

// Past 200 new incidents a minute, those of one node would become one: so they come from many.
for (let i = 0; i < Number(count); i++) {
  const srcHost = `10.8.${i >> 8}.${i & 255}`
  const nodeId = String(i % 50).padStart(16, '0')
  const at = Date.now()
  const touch = {
    nodeId,
    logtype: '4002',
    instance: 'ssh',
    at,
    srcHost,
    srcPort: 1,
    dstHost: '',
    dstPort: 22,
    fields: {},
  }
  const subject = {
    flockId: FLOCK,
    name: 'b',
    memo: null,
    ipAddress: '',
    ippers: '',
    macAddress: '',
    muted: false,
  }
  await ingest.fromConsole({ touch, subject, receivedAt: at })
  process.stdout.write(`${srcHost}\n`)
}

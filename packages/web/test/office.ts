// An office as a night left it: Flocks, Birds, tokens, and what intruders did. For pictures.
import { addBird } from '@rookery/console/test/birds.ts'
import type { TestConsole } from '@rookery/console/test/test-console.ts'
import { sshLogin, subject } from '@rookery/console/test/touches.ts'

const MINUTE = 60_000

const BIRDS = [
  ['Berlin office', 'nas-02', '10.20.0.31'],
  ['Berlin office', 'print-3f', '10.20.0.48'],
  ['Berlin office', 'hr-share', '10.20.1.12'],
  ['Plant Graz', 'historian', '10.40.0.9'],
  ['Plant Graz', 'scada-gw', '10.40.0.20'],
  ['Data centre', 'cache-07', '172.16.4.17'],
  ['Data centre', 'db-replica', '172.16.4.40'],
] as const

/** Where each service of the night listens. */
const PORTS: Readonly<Record<string, number>> = { ssh: 22, smb: 445, redis: 6379, http: 80 }

type Act = readonly [
  minutesAgo: number,
  bird: string,
  logtype: string,
  instance: string,
  source: string,
  fields: Readonly<Record<string, string>>,
]

const NIGHT: readonly Act[] = [
  [
    3,
    'nas-02',
    '5000',
    'smb',
    '10.20.7.14',
    { USER: 'svc-backup', SHARENAME: 'finance', FILENAME: 'Salaries 2027.xlsx', AUDITACTION: 'pread' },
  ],
  [
    212,
    'print-3f',
    '3000',
    'http',
    '10.20.7.99',
    { PATH: '/', USERAGENT: 'Mozilla/5.0', HOSTNAME: 'print-3f', SKIN: 'printer' },
  ],
  [187, 'cache-07', '21001', 'redis', '172.16.9.5', { CMD: 'CONFIG', ARGS: 'SET dir /var/spool/cron' }],
  [96, 'db-replica', '4002', 'ssh', '172.16.9.5', { USERNAME: 'mysql', PASSWORD: 'mysql' }],
  [61, 'nas-02', '4000', 'ssh', '10.20.7.14', {}],
  [58, 'nas-02', '4002', 'ssh', '10.20.7.14', { USERNAME: 'root', PASSWORD: 'Sommer2026!' }],
  [57, 'nas-02', '4002', 'ssh', '10.20.7.14', { USERNAME: 'backup', PASSWORD: 'backup' }],
  [31, 'scada-gw', '4002', 'ssh', '10.40.3.77', { USERNAME: 'operator', PASSWORD: 'operator1' }],
  [12, 'cache-07', '4002', 'ssh', '172.16.9.5', { USERNAME: 'deploy', PASSWORD: 'hunter2' }],
  [4, 'hr-share', '4002', 'ssh', '10.20.7.14', { USERNAME: 'administrator', PASSWORD: 'Winter2026!' }],
]

/** Answers a Bird and a token that pages can be about. */
export async function openOffice(rookery: TestConsole) {
  const flocks = new Map<string, string>()
  const birds = new Map<string, { id: string; flock: string; ip: string }>()
  const now = Date.now()
  for (const [flock, name, ip] of BIRDS) {
    const id = flocks.get(flock) ?? (await rookery.api.flocks.create({ name: flock })).flock_id
    flocks.set(flock, id)
    const columns = {
      name,
      flock_id: id,
      ip_address: ip,
      live: name === 'print-3f' ? 0 : 1,
      version: '3.0.0',
      service_count: 2,
    }
    birds.set(name, {
      id: await addBird(rookery, { ...columns, sensor: 'linux-x64', last_seen_at: now }),
      flock: id,
      ip,
    })
  }
  const tokens = [
    ['dns', 'Zone file on the build server'],
    ['http', 'Link in the wiki page "Break glass"'],
    ['cloud-a-id', 'Key in the old deploy script'],
    ['doc-wordproc', 'Salaries 2027, HR share'],
  ] as const
  const made: string[] = []
  for (const [kind, memo] of tokens) {
    const { decoytoken } = await rookery.api.tokens.create({
      kind,
      memo,
      flock_id: flocks.get('Berlin office')!,
    })
    made.push(decoytoken.decoytoken)
  }
  for (const id of flocks.values())
    await rookery.api.flockWebhooks.addGeneric({
      flock_id: id,
      url: `https://hooks.slack.com/services/${id.slice(-8)}`,
    })
  // What came in the weeks before is acknowledged.
  for (let day = 1; day < 29; day++)
    for (let n = 0; n < (day * 7) % 5; n++) {
      const bird = [...birds.values()][(day + n) % birds.size]!
      const at = now - (day * 1440 + n * 97) * MINUTE
      await rookery.console.ingest.fromConsole({
        ...sshLogin(
          { nodeId: bird.id, srcHost: `10.20.8.${day}`, logtype: n % 3 === 0 ? '4000' : '4002' },
          at,
        ),
        subject: { ...subject, flockId: bird.flock },
      })
    }
  for (const id of flocks.values()) await rookery.api.incidentActions.acknowledgeMany({ flock_id: id })
  for (const [ago, name, logtype, instance, srcHost, fields] of NIGHT) {
    const bird = birds.get(name)!
    const touch = sshLogin(
      { nodeId: bird.id, logtype, instance, srcHost, dstHost: bird.ip, dstPort: PORTS[instance]!, fields },
      now - ago * MINUTE,
    )
    await rookery.console.ingest.fromConsole({
      ...touch,
      subject: { ...subject, flockId: bird.flock, name, ipAddress: bird.ip, ippers: bird.ip },
    })
  }
  return { bird: birds.get('nas-02')!.id, token: made[1]! }
}

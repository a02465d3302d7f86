// A console with its local Bird, one attack at a time, and what visitors see meanwhile.
import { setTimeout as pause } from 'node:timers/promises'
import { ADMIN, startConsole, type RunningConsole } from '../scenes/console.ts'
import { freshFolder, removeFolder } from '../folder.ts'
import { freeOffset, freePort } from '../../../tools/free-port.ts'
import { familyMb } from '../process.ts'
import { everyDecoyPort, openEveryDecoy, portOfService } from '../scenes/every-decoy.ts'
import { METADATA } from './assertions.ts'
import { LIMITS, type SiegeLimits, type Target } from './attack.ts'
import { startBystander } from './bystander.ts'
import { ATTACKS } from './attacks.ts'
import { runAttack } from './run-attack.ts'
import { LARGE_FILE } from './smb.ts'
import { visit, type Visited } from './visitors.ts'

export interface Siege extends Visited {
  readonly title: string
  readonly limits: SiegeLimits
  /** Connections, bytes or frames, as the attack counts. */
  readonly done: number
  /** Console and local Bird together: most, and a while later, over what they had before. */
  readonly grownMb: number
  readonly leftMb: number
}

export interface SiegeOptions {
  /** Of `ATTACKS`. */
  readonly names: readonly string[]
  /** Of each attack, and of the rest behind it. */
  readonly seconds: number
  /** Of visits before it. */
  readonly warmUpMs: number
  readonly onAttack?: (name: string) => void
}

/** As a fresh installation has them. */
const METERED = {
  ROOKERY_CONNECTIONS_PER_SOURCE: '64',
  ROOKERY_CALLS_PER_SECOND: '100',
  ROOKERY_CALLS_BURST: '500',
  ROOKERY_LINK_HANDSHAKES_PER_SECOND: '10',
  ROOKERY_DNS_QUERIES_PER_SECOND: '1000',
  ROOKERY_TRUSTED_PROXIES: '',
}

export async function besiege(options: SiegeOptions): Promise<Siege[]> {
  const sieges: Siege[] = []
  for (const name of options.names) {
    options.onAttack?.(name)
    sieges.push(await siege(name, options))
  }
  return sieges
}

/** An app whose assertions are validated; answers the path where they are posted. */
async function plantApp(console: RunningConsole): Promise<string> {
  const { json } = await console.post('/decoytoken/create', { memo: 'siege', kind: 'idp-app' })
  const { decoytoken, url } = json['decoytoken'] as { decoytoken: string; url: string }
  const form = new FormData()
  form.append('decoytoken', decoytoken)
  form.append('metadata', new File([new Uint8Array(METADATA)], 'metadata.xml'))
  const saved = await fetch(`http://127.0.0.1:${console.port}/api/v1/decoytokens/idp-app/metadata/save`, {
    method: 'POST',
    body: form,
    headers: { 'X-Auth-Token': ADMIN },
  })
  if (!saved.ok) throw new Error(await saved.text())
  await console.post('/decoytokens/idp-app/validation/enable', { decoytoken })
  return new URL(url).pathname
}

/** Each attack meets a console of its own. */
async function siege(name: string, { seconds, warmUpMs }: SiegeOptions): Promise<Siege> {
  const dataDir = freshFolder()
  const offset = await freeOffset(everyDecoyPort.map(({ port }) => port))
  const [https, mysql, postgres] = [await freePort(), await freePort(), await freePort()]
  const env = {
    ...METERED,
    ROOKERY_TOKENS_TLS_LISTEN: `127.0.0.1:${https}`,
    ROOKERY_TOKENS_MYSQL_LISTEN: `127.0.0.1:${mysql}`,
    ROOKERY_TOKENS_POSTGRES_LISTEN: `127.0.0.1:${postgres}`,
    ROOKERY_BIRD_PORT_OFFSET: String(offset),
  }
  using bystander = await startBystander()
  const console = await startConsole({ dataDir, command: 'up', env })
  try {
    await openEveryDecoy(console, offset, { 'smb.filetree': [LARGE_FILE] })
    const at = (service: string): number => portOfService(service) + offset
    const factory = await console.post('/decoytoken/create_factory', {
      flock_id: 'flock:default',
      memo: 'siege',
    })
    const target: Target = {
      factoryKey: String(factory.json['factory_auth']),
      api: console.port,
      tokens: console.tokensPort,
      https,
      appPath: await plantApp(console),
      others: [mysql, postgres, console.dnsPort],
      decoys: { ftp: at('ftp'), ssh: at('ssh'), http: at('http'), redis: at('redis'), smb: at('smb') },
    }
    const { json } = await console.post('/decoytoken/create', { memo: 'siege', kind: 'http' })
    const { url } = json['decoytoken'] as { url: string }
    const tokenPath = new URL(url).pathname
    // What the first requests load, and threads that start at need, count before the attack.
    await visit({ console, target, tokenPath, bystander: bystander.port }, pause(warmUpMs))
    const before = familyMb(console.pid)
    let most = before
    const watch = setInterval(() => (most = Math.max(most, familyMb(console.pid))), 250)
    const running = runAttack({ name, target, seconds })
    const { title = name, arrivalMs = 0, limits } = ATTACKS[name] ?? {}
    const visited = await visit({ console, target, tokenPath, bystander: bystander.port, arrivalMs }, running)
    clearInterval(watch)
    await pause(1_000 * seconds)
    return {
      title,
      limits: { ...LIMITS, ...limits },
      done: await running,
      ...visited,
      grownMb: most - before,
      leftMb: familyMb(console.pid) - before,
    }
  } finally {
    await console.stop()
    removeFolder(dataDir)
  }
}

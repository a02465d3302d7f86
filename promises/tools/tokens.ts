// Each kind of token is fired by a program that nobody here wrote, from the artefact as a user gets it.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startConsole, type RunningConsole } from '../rig/scenes/console.ts'
import { freePort } from '../../tools/free-port.ts'
import { openClouds, type Clouds } from './lib/clouds.ts'
import { incidentsOf, incidentWith } from './lib/incidents.ts'
import { listens } from './lib/listens.ts'
import { startUnbound } from './lib/unbound.ts'
import { until } from './lib/until.ts'
import { missing, type Proof } from './lib/proof.ts'
import { accounts } from './tokens/accounts.ts'
import { clones } from './tokens/clones.ts'
import { databases } from './tokens/databases.ts'
import { documents } from './tokens/documents.ts'
import { folders } from './tokens/folders.ts'
import { commands } from './tokens/commands.ts'
import { developers } from './tokens/developers.ts'
import { logons } from './tokens/logons.ts'
import { macros } from './tokens/macros.ts'
import { plant, PORTS, type TokenProof } from './tokens/token-proof.ts'
import { cloudAccounts } from './tokens/cloud-accounts.ts'
import { cloudKeys } from './tokens/cloud-keys.ts'
import { links } from './tokens/links.ts'
import { names } from './tokens/names.ts'
import { programs } from './tokens/programs.ts'
import { openProviderAccounts, type ProviderAccounts } from './tokens/providers.ts'
import { tunnels } from './tokens/tunnels.ts'

const ZONE = 'tokens.example'
/** As programs of the wild know them, on the loopback of the proof's own network. */
const LISTENERS = {
  ROOKERY_TOKENS_URL: 'http://127.0.0.1',
  ROOKERY_TOKENS_TLS_LISTEN: `127.0.0.1:${PORTS.https}`,
  ROOKERY_TOKENS_MYSQL_LISTEN: `127.0.0.1:${PORTS.mysql}`,
  ROOKERY_TOKENS_POSTGRES_LISTEN: `127.0.0.1:${PORTS.postgres}`,
  ROOKERY_TOKENS_WIREGUARD_LISTEN: `127.0.0.1:${PORTS.wireguard}`,
}

const firings: readonly TokenProof[] = [
  ...links,
  ...names,
  ...clones,
  ...documents,
  ...folders,
  ...macros,
  ...commands,
  ...accounts,
  ...cloudKeys,
  ...tunnels,
  ...programs,
  ...databases,
  ...logons,
  ...developers,
]

/** With those of providers, whose services are fakes. */
export const allFirings = (providers: ProviderAccounts, clouds: Clouds): readonly TokenProof[] => [
  ...firings,
  ...providers.firings,
  ...cloudAccounts(clouds),
]

interface Fired {
  readonly firing: TokenProof
  readonly id: string
}

/** Longer than a program waits between requests of one visit. */
const SETTLED_MS = 2_000

/** Once nothing more comes of the firings: one visit is one event a channel, in whatever incident. */
async function checkVisits(console: RunningConsole, fired: readonly Fired[]): Promise<void> {
  async function counts() {
    const found = []
    // One after another: the console bounds how many lists it reads at once.
    for (const { id } of fired)
      found.push(
        (await incidentsOf(console, id)).map(({ description }) => ({
          count: Number(description.events_count),
          ports: description.events.map((event) => event['dst_port']),
        })),
      )
    return found
  }
  let before = ''
  const settled = await until(
    'a state of all incidents that stays',
    async () => {
      const now = await counts()
      const isSettled = JSON.stringify(now) === before
      before = JSON.stringify(now)
      return isSettled ? now : undefined
    },
    10 * SETTLED_MS,
    SETTLED_MS,
  )
  const wrong = settled.flatMap((incidents, index) => {
    const ports = incidents.flatMap((incident) => incident.ports)
    const counted = incidents.reduce((sum, { count }) => sum + count, 0)
    const { kind, program } = fired[index]?.firing ?? {}
    return counted === new Set(ports).size
      ? []
      : [`${kind} by ${program}: ${counted} events at ${ports.join()}`]
  })
  assert.deepEqual(wrong, [], 'one visit is one event a channel')
}

const proof: Proof = {
  title: 'each kind of token fires by a program of the wild, once for each visit',
  uses: firings.flatMap(({ needs }) => needs),
  // Parts of a domain controller that samba only recommends.
  packages: ['samba-ad-provision', 'samba-dsdb-modules', 'samba-vfs-modules'],
  isIsolated: true,
  limitMs: 480_000,
  async prove({ folder, say, skip }) {
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const [providers, clouds] = await Promise.all([openProviderAccounts(), openClouds()])
    const console = await startConsole({
      dataDir,
      ports: { port: await freePort(), tokensPort: PORTS.http, dnsPort: PORTS.dns },
      env: { ...LISTENERS, ROOKERY_TOKENS_DOMAIN: ZONE, ...providers.env, ...clouds.env },
    })
    await Promise.all([PORTS.https, PORTS.mysql, PORTS.postgres].map((port) => listens(port)))
    const resolverPort = await freePort()
    const authoritativePort = console.dnsPort
    const stopResolver =
      missing(['dig', 'unbound']) === undefined
        ? await startUnbound({ folder, port: resolverPort, zone: ZONE, authoritativePort })
        : undefined
    const fired: Fired[] = []
    for (const firing of allFirings(providers, clouds)) {
      const { kind, program, needs, logtype, patienceMs } = firing
      const absent = missing(needs)
      if (absent !== undefined) {
        skip(`${kind}: ${absent}`)
        continue
      }
      const deps = { console, folder, resolverPort }
      const planted = await plant(firing, deps)
      const fields = await firing.fire(planted, deps)
      await incidentWith(console, logtype, fields, planted.id, patienceMs)
      fired.push({ firing, id: planted.id })
      say(
        `${kind.padEnd(17)} ${program.padEnd(56)} ${logtype}  event seen, fields right: ${Object.keys(fields).join(', ')}`,
      )
    }
    await checkVisits(console, fired)
    say(`${fired.length} firings: each visit is one event a channel, counted once`)
    stopResolver?.()
    await console.stop()
    await Promise.all([providers.close(), clouds.close()])
  },
}

export default proof

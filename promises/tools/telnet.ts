// The decoy telnet next to Debian's telnetd: nmap prints the same, hydra is as quick, and each try is in an incident.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { REAL_HOST } from '../../packages/decoys/test/real-server.ts'
import { realServers, startRealServer } from '../../packages/decoys/test/real-servers.ts'
import { run } from './lib/command.ts'
import { incidentWith, unacknowledged } from './lib/incidents.ts'
import { listens } from './lib/listens.ts'
import { HOST, startProduct, type Product } from './lib/product.ts'
import { openSlowLine } from './lib/slow-line.ts'
import { until } from './lib/until.ts'
import type { Proof, Stage } from './lib/proof.ts'

const SECONDS = 90
const TASKS = 16
/** Chance decides PAM's delays. */
const TOLERANCE = 0.2

/** Straight over loopback. */
const DIRECT_SECONDS = 40
/** Of the tries a second over a line: at more, telnetd would not have the trouble that is shown. */
const LOST = 0.9

/**
 * telnetd's answer to LINEMODE and its next questions are two segments, 0.1 to 0.3 ms apart. Where hydra reads them as one, it takes
 * them for a prompt and waits for ever: over loopback often, at the real server and at the decoy. Over a line it does not.
 */
const LINES = [
  ['127.0.0.3', REAL_HOST],
  ['127.0.0.4', HOST],
] as const

const NMAP = ['-Pn', '-n', '-sV', '-sC', '-p', '23']
/** What a scan says of itself. */
const OWN = /^(Nmap |Starting |Host is)/

/** A person with Debian's telnet. */
const TELNET = `set timeout 20
set stty_init "rows 43 columns 132"
spawn telnet ${HOST}
expect "login: "
send "operator\\r"
expect "Password: "
send "Winter2026\\r"
expect "Login incorrect"
exit 0
`

async function telnetIsOn(folder: string): Promise<Product> {
  const product = await startProduct(folder, { ROOKERY_BIRD_PORT_OFFSET: '0' })
  const { status, text } = await product.console.post('/device/configure_personality', {
    node_id: product.nodeId,
    personality: 'default',
    additional_settings: JSON.stringify({ 'telnet.enabled': true }),
  })
  assert.equal(status, 200, text)
  await listens(23)
  return product
}

async function scan(host: string): Promise<string> {
  const { stdout, stderr, code } = await run('nmap', [...NMAP, host], { patienceMs: 200_000 })
  assert.equal(code, 0, stderr)
  return stdout
    .split('\n')
    .filter((line) => !OWN.test(line))
    .join('\n')
    .replaceAll(host, 'HOST')
}

/** How many passwords hydra tries in the time; a list that ends would leave the slowest task to decide. */
async function guess(list: string, host: string, seconds = SECONDS): Promise<number> {
  const args = ['-I', '-V', '-l', 'root', '-P', list, '-t', `${TASKS}`, `telnet://${host}`]
  const { stdout, stderr } = await run('timeout', [`${seconds}`, 'hydra', ...args], {
    patienceMs: 2_000 * seconds,
    // hydra leaves a file of its own where it is stopped.
    cwd: dirname(list),
  })
  const tried = stdout.match(/^\[ATTEMPT\]/gm)?.length ?? 0
  assert.ok(tried > 0, `hydra tried no password: ${stdout}${stderr}`)
  return tried
}

async function compareHydra(folder: string, { console }: Product, say: Stage['say']): Promise<number> {
  const list = join(folder, 'guesses')
  writeFileSync(list, Array.from({ length: 2_000 }, (_, at) => `guess-${at + 1}\n`).join(''))
  const lines = await Promise.all(
    LINES.map(([from, to]) => openSlowLine({ host: from, port: 23 }, { host: to, port: 23 })),
  )
  const [theirs = 0, ours = 0] = await Promise.all(LINES.map(([from]) => guess(list, from)))
  for (const line of lines) line.close()
  assert.ok(theirs > TASKS, `hydra tried ${theirs} passwords at telnetd`)
  say(`hydra -t ${TASKS}: ${theirs} tries in ${SECONDS} s at telnetd, ${ours} at the decoy`)
  assert.ok(Math.abs(ours / theirs - 1) <= TOLERANCE, `${ours} tries, not ${theirs} ± 20 %`)
  // Those that hydra had just begun have no password yet.
  const least = ours - TASKS
  const count = await until(
    `an incident with ${least} passwords at least`,
    async () => {
      const found = (await unacknowledged(console)).find(({ description }) => description.logtype === '6001')
      const events = Number(found?.description.events_count ?? 0)
      return events >= least ? events : undefined
    },
    20_000,
  )
  assert.ok(count <= ours, `${count} events for ${ours} tries`)
  say(`${count} of them in one incident`)
  return theirs / SECONDS
}

/** `aSecond`: tries a second over a line. */
async function showLoopback(folder: string, aSecond: number, say: Stage['say']): Promise<void> {
  const list = join(folder, 'guesses')
  const theirs = await guess(list, REAL_HOST, DIRECT_SECONDS)
  const ours = await guess(list, HOST, DIRECT_SECONDS)
  const most = LOST * aSecond * DIRECT_SECONDS
  say(`straight over loopback: ${theirs} tries in ${DIRECT_SECONDS} s at telnetd, ${ours} at the decoy`)
  assert.ok(theirs < most, `${theirs} tries at telnetd over loopback, not fewer than ${most.toFixed(0)}`)
}

const proof: Proof = {
  title: `nmap prints of the decoy telnet what it prints of telnetd, and hydra -t ${TASKS} makes as many tries a minute ± 20 %`,
  packages: ['inetutils-telnetd', 'openbsd-inetd', 'telnet', 'expect', 'hydra', 'nmap'],
  needs: ['telnetd', 'inetd', 'telnet', 'expect', 'hydra', 'nmap'],
  isIsolated: true,
  limitMs: 900_000,
  async prove({ folder, say }) {
    const server = realServers.find(({ service }) => service === 'telnet')
    assert(server)
    const real = await startRealServer(server, folder)
    const product = await telnetIsOn(folder)
    const [theirs, ours] = await Promise.all([REAL_HOST, HOST].map(scan))
    assert.equal(ours, theirs)
    say(`nmap ${NMAP.join(' ')}: ${ours!.split('\n').find((line) => line.startsWith('23/tcp'))}`)
    const { stdout } = await run('expect', ['-'], { input: TELNET })
    assert.match(stdout, /login: operator\r?\n(.*\n)?Password: /)
    const fields = { USERNAME: 'operator', PASSWORD: 'Winter2026', TERMTYPE: /./, TERMSIZE: '132x43' }
    const seen = await incidentWith(product.console, '6001', fields, product.nodeId)
    say(`telnet: incident 6001 from ${seen.description.src_host}`)
    await product.console.post('/incident/acknowledge', { incident: seen.id })
    await showLoopback(folder, await compareHydra(folder, product, say), say)
    await product.console.stop()
    await real.stop()
  },
}

export default proof

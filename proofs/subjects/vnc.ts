// The decoy vnc next to Debian's TigerVNC: scanner and viewers print the same, hydra makes as many tries, and a try is an incident.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REAL_HOST } from '../../packages/decoys/test/real-server.ts'
import { realServers, startRealServer } from '../../packages/decoys/test/real-servers.ts'
import { startDecoys } from '../../packages/decoys/test/start-decoys.ts'
import { run } from '../lib/command.ts'
import { incidentWith } from '../lib/incidents.ts'
import { listens } from '../lib/listens.ts'
import { printedAlike, type ToolRun } from '../lib/printed-alike.ts'
import { HOST, startProduct } from '../lib/product.ts'
import type { Proof, Stage } from '../proof.ts'

const SECONDS = 45
/** Both servers block hydra for ten seconds behind its fifth connection. */
const MOST_TRIES_APART = 1

/** Each against servers that have blocked nobody yet. */
const rows = (password: string): readonly ToolRun[] => [
  {
    tool: 'nmap',
    args: (host) => [
      '-Pn',
      '-n',
      '-sV',
      '-sC',
      '-p',
      '5900',
      '--script',
      '+vnc-info,+realvnc-auth-bypass',
      host,
    ],
  },
  {
    tool: 'sh',
    args: (host) => ['-c', `vncsnapshot -passwd ${password} ${host}::5900 /dev/null 2>&1; true`],
  },
  {
    tool: 'sh',
    args: (host) => [
      '-c',
      `timeout 40 ncrack -g cl=1,at=1 -P ${password}.txt vnc://${host}:5900 | grep -v ncrack; true`,
    ],
  },
]

const server = realServers.find(({ service }) => service === 'vnc')

/** The real server and the decoy, while `act` runs. */
async function withBoth<Result>(folder: string, name: string, act: () => Promise<Result>): Promise<Result> {
  assert(server)
  const real = await startRealServer(server, join(folder, name))
  const ours = await startDecoys(['vnc.enabled=true'], server.port)
  try {
    return await act()
  } finally {
    await ours.stop()
    await real.stop()
  }
}

/** How many passwords hydra has tried when its time is over. */
async function tries(folder: string, list: string, host: string): Promise<number> {
  const { stdout } = await run(
    'timeout',
    [`${SECONDS}`, 'hydra', '-I', '-V', '-t', '1', '-P', list, `vnc://${host}`],
    { patienceMs: 2_000 * SECONDS, cwd: folder },
  )
  return stdout.match(/^\[ATTEMPT\]/gm)?.length ?? 0
}

async function proveIncident(folder: string, password: string, say: Stage['say']): Promise<void> {
  const product = await startProduct(folder, { ROOKERY_BIRD_PORT_OFFSET: '0' })
  const { status, text } = await product.console.post('/device/configure_personality', {
    node_id: product.nodeId,
    personality: 'default',
    additional_settings: JSON.stringify({ 'vnc.enabled': true }),
  })
  assert.equal(status, 200, text)
  await listens(5900)
  await run('vncsnapshot', ['-passwd', password, `${HOST}::5900`, '/dev/null'])
  const fields = { PASSWORD: 'letmein', SERVER_CHALLENGE: /^[\da-f]{32}$/, CLIENT_RESPONSE: /^[\da-f]{32}$/ }
  const seen = await incidentWith(product.console, '12001', fields, product.nodeId)
  say(`vncsnapshot: incident 12001 from ${seen.description.src_host}, its password read from the response`)
  await product.console.stop()
}

const proof: Proof = {
  title:
    'nmap, vncsnapshot and ncrack print of the decoy vnc what they print of TigerVNC, and hydra is blocked as often',
  packages: ['tigervnc-standalone-server', 'tigervnc-tools', 'vncsnapshot', 'ncrack', 'hydra', 'nmap'],
  needs: ['Xtigervnc', 'tigervncpasswd', 'vncsnapshot', 'ncrack', 'hydra', 'nmap'],
  isIsolated: true,
  limitMs: 600_000,
  async prove({ folder, say }) {
    const password = join(folder, 'password')
    await run('sh', ['-c', `echo letmein | tigervncpasswd -f > ${password}`])
    writeFileSync(`${password}.txt`, ['alpha', 'beta', ''].join('\n'))
    for (const [at, row] of rows(password).entries()) {
      const lines = await withBoth(folder, `row-${at}`, () => printedAlike(row, REAL_HOST, HOST))
      say(`${row.tool} ${row.args('HOST').join(' ')}: ${lines} lines, equal`)
    }
    const list = join(folder, 'guesses')
    writeFileSync(list, Array.from({ length: 100 }, (_, at) => `guess-${at + 1}\n`).join(''))
    const [theirs = 0, ours = 0] = await withBoth(folder, 'hydra', () =>
      Promise.all([REAL_HOST, HOST].map((host) => tries(folder, list, host))),
    )
    say(`hydra: ${theirs} tries in ${SECONDS} s at TigerVNC, ${ours} at the decoy`)
    assert.ok(theirs > 0 && Math.abs(theirs - ours) <= MOST_TRIES_APART)
    await proveIncident(folder, password, say)
  },
}

export default proof

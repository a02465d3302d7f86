// The decoy vnc next to Debian's TigerVNC and TightVNC: scanner and viewers print the same, hydra makes as many tries, and a try is
// an incident.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freeDisplay } from '../../packages/decoys/test/free-display.ts'
import { REAL_HOST, type RealServer } from '../../packages/decoys/test/real-server.ts'
import {
  nameOf,
  packagesOf,
  realServers,
  startProgram,
  startRealServer,
} from '../../packages/decoys/test/real-servers.ts'
import { startDecoys } from '../../packages/decoys/test/start-decoys.ts'
import { run } from './lib/command.ts'
import { incidentWith } from './lib/incidents.ts'
import { printedAlike, type ToolRun } from './lib/printed-alike.ts'
import { HOST, startProduct } from './lib/product.ts'
import { until } from './lib/until.ts'
import type { Proof, Stage } from './lib/proof.ts'

const SECONDS = 45
/** The first display for the X server that viewers show their windows on, and its own VNC port. */
const DISPLAY = 57
const DISPLAY_PORT = 5957
/** Both servers block hydra for ten seconds behind its fifth connection. */
const MAX_TRIES_APART = 1

/** Each against servers that have blocked nobody yet. */
const rows = (password: string, display: string): readonly ToolRun[] => [
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
  {
    tool: 'sh',
    args: (host) => [
      '-c',
      `DISPLAY=${display} timeout 20 xtightvncviewer -passwd ${password} ${host}::5900 2>&1; true`,
    ],
  },
]

const servers = realServers.filter(({ service }) => service === 'vnc')

/** The real server and the decoy, while `act` runs. */
async function withBoth<Result>(
  server: RealServer,
  folder: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const real = await startRealServer(server, folder)
  const ours = await startDecoys(['vnc.enabled=true', ...(server.settings ?? [])], server.port)
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

/** The same lines of each tool, and as many tries of hydra. */
async function proveAlike(
  server: RealServer,
  folder: string,
  { password, display }: { readonly password: string; readonly display: string },
  say: Stage['say'],
): Promise<void> {
  const name = nameOf(server)
  for (const [at, row] of rows(password, display).entries()) {
    const lines = await withBoth(server, join(folder, `row-${at}`), () => printedAlike(row, REAL_HOST, HOST))
    say(`${name}: ${row.tool} ${row.args('HOST').join(' ')}: ${lines} lines, equal`)
  }
  mkdirSync(folder, { recursive: true })
  const list = join(folder, 'guesses')
  writeFileSync(list, Array.from({ length: 100 }, (_, at) => `guess-${at + 1}\n`).join(''))
  const [theirs = 0, ours = 0] = await withBoth(server, join(folder, 'hydra'), () =>
    Promise.all([REAL_HOST, HOST].map((host) => tries(folder, list, host))),
  )
  say(`${name}: hydra: ${theirs} tries in ${SECONDS} s at the real server, ${ours} at the decoy`)
  assert.ok(theirs > 0 && Math.abs(theirs - ours) <= MAX_TRIES_APART)
}

/** The viewer that tries a password, by the server that the decoy claims to be. */
const VIEWERS: readonly {
  readonly version: string
  readonly password: string
  readonly tool: string
  readonly to: string
}[] = [
  { version: 'tigervnc-1.12', password: 'letmein', tool: 'vncsnapshot', to: '/dev/null' },
  { version: 'tightvnc-1.3.10', password: 'dragon', tool: 'xtightvncviewer', to: '' },
]

async function proveIncidents(folder: string, display: string, say: Stage['say']): Promise<void> {
  const product = await startProduct(folder, { ROOKERY_BIRD_PORT_OFFSET: '0' })
  for (const { version, password, tool, to } of VIEWERS) {
    const { status, text } = await product.console.post('/device/configure_personality', {
      node_id: product.nodeId,
      personality: 'default',
      additional_settings: JSON.stringify({ 'vnc.enabled': true, 'vnc.version': version }),
    })
    assert.equal(status, 200, text)
    const { bundle_tag } = JSON.parse(text) as { readonly bundle_tag: string }
    await until(`the Bird is ${version}`, async () => {
      const { json } = await product.console.get('/bundle/info', { bundle_tag })
      return (json['bundle'] as { readonly state: string }).state === 'applied' || undefined
    })
    const file = await passwordFile(folder, password)
    await run('sh', ['-c', `DISPLAY=${display} ${tool} -passwd ${file} ${HOST}::5900 ${to}`])
    const fields = { PASSWORD: password, SERVER_CHALLENGE: /^[\da-f]{32}$/, CLIENT_RESPONSE: /^[\da-f]{32}$/ }
    const seen = await incidentWith(product.console, '12001', fields, product.nodeId)
    say(
      `${version}, ${tool}: incident 12001 from ${seen.description.src_host}, its password read from the response`,
    )
  }
  await product.console.stop()
}

/** As viewers read it. */
async function passwordFile(folder: string, password: string): Promise<string> {
  const file = join(folder, `password-${password}`)
  await run('sh', ['-c', `echo ${password} | tigervncpasswd -f > ${file}`])
  return file
}

const proof: Proof = {
  title:
    'scanner, viewers and ncrack print of the decoy vnc what they print of TigerVNC and TightVNC, and hydra is blocked as often',
  packages: [
    ...servers.flatMap(packagesOf),
    'tigervnc-tools',
    'vncsnapshot',
    'xtightvncviewer',
    'ncrack',
    'hydra',
    'nmap',
  ],
  needs: [
    'Xtigervnc',
    'Xtightvnc',
    'tigervncpasswd',
    'vncsnapshot',
    'xtightvncviewer',
    'ncrack',
    'hydra',
    'nmap',
  ],
  isIsolated: true,
  limitMs: 900_000,
  async prove({ folder, say }) {
    const display = freeDisplay(DISPLAY)
    const screen = ['-rfbport', `${DISPLAY_PORT}`, '-fp', '/usr/share/fonts/X11/misc/']
    const xServer = await startProgram('Xtightvnc', [display, ...screen], process.env, {
      host: HOST,
      port: DISPLAY_PORT,
    })
    try {
      const password = await passwordFile(folder, 'letmein')
      writeFileSync(`${password}.txt`, ['alpha', 'beta', ''].join('\n'))
      for (const server of servers)
        await proveAlike(server, join(folder, server.program), { password, display }, say)
      await proveIncidents(folder, display, say)
    } finally {
      await xServer.stop()
    }
  },
}

export default proof

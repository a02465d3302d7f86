// Two Birds on machines of their own, as their package installs them: files by curl and smbclient, an update that stays, and one that
// is rolled back.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startConsole, type Params, type RunningConsole } from '../rig/scenes/console.ts'
import { zipEntry } from '../../packages/kernel/src/zip/entry.ts'
import { writeZip } from '../../packages/kernel/src/zip/write.ts'
import { packFiles } from '../../packages/link/src/release/archive.ts'
import { bundleBird } from '../../packages/cli/src/release/bundle-bird.ts'
import { root as clone } from '../../tools/clone.mjs'
import { rookery, run } from './lib/command.ts'
import { readUnit } from './lib/unit.ts'
import { until } from './lib/until.ts'
import type { Proof, Stage } from './lib/proof.ts'

const PORT = 8080
const NEXT = '3.1.0'
const BROKEN = '3.2.0'
/** A release is fetched, tries itself, and starts; a machine may be busy. */
const UPDATE_MS = 240_000

interface Machine {
  /** Of its only decoys' address. */
  readonly address: string
  readonly nodeId: string
}

/** A network namespace with one cable to this one, and the Bird of the package in it, which is started again whenever it ends. */
async function startMachine(n: number, folder: string, code: string): Promise<Machine & { close(): void }> {
  const [here, address] = [`10.214.${n}.1`, `10.214.${n}.2`]
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo here; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await new Promise((resolve, reject) => holder.once('error', reject).stdout.once('data', resolve))
  const [pid, link] = [String(holder.pid), `bird${n}`]
  const within = ['--target', pid, '--net']
  await checked('ip', ['link', 'add', link, 'type', 'veth', 'peer', 'name', 'cable', 'netns', pid])
  await checked('ip', ['address', 'add', `${here}/24`, 'dev', link])
  await checked('ip', ['link', 'set', link, 'up'])
  await checked('nsenter', [...within, 'ip', 'address', 'add', `${address}/24`, 'dev', 'cable'])
  for (const device of ['lo', 'cable'])
    await checked('nsenter', [...within, 'ip', 'link', 'set', device, 'up'])
  const { command, environment } = readUnit(folder, 'rookery-bird.service')
  const paths = command.map((word) => word.replace(/^\/(usr|var)\//, `${folder}/$1/`))
  const again = ['sh', '-c', 'while :; do "$@"; sleep 1; done', 'sh']
  const bird = spawn('nsenter', [...within, ...again, ...paths], {
    env: {
      ...environment,
      PATH: process.env['PATH'],
      ROOKERY_DATA_DIR: join(folder, 'var/lib/rookery-bird'),
      NODE_COMPILE_CACHE: join(folder, 'var/cache'),
      ROOKERY_CONSOLE: `http://${here}:${PORT}`,
      ROOKERY_ENROL: code,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = listen(bird)
  const nodeId = await until(
    `Bird ${n} stands`,
    () => /Bird ([0-9a-f]+) is running on/.exec(said())?.[1],
    60_000,
  ).catch((error: Error) => {
    throw new Error(`${error.message}\n${said()}`)
  })
  return { address, nodeId, close: () => void (bird.kill('SIGKILL'), holder.kill()) }
}

function listen(child: ChildProcess): () => string {
  let text = ''
  const add = (chunk: Buffer): void => void (text += chunk.toString())
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  return () => text
}

async function checked(program: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, { patienceMs: 120_000 })
  assert.equal(code, 0, `${program} ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`)
  return stdout
}

/** As an owner calls it; throws with what was answered when it is refused. */
function apiOf(console: RunningConsole) {
  const asked = async (call: Promise<{ status: number; text: string; json: object }>): Promise<object> => {
    const { status, text, json } = await call
    assert.equal(status, 200, text)
    return json
  }
  return {
    get: <T>(path: string, params?: Params) => asked(console.get(path, params)) as Promise<T>,
    post: <T>(path: string, params?: Params) => asked(console.post(path, params)) as Promise<T>,
  }
}
type Api = ReturnType<typeof apiOf>

interface Job {
  readonly url: string
  readonly password: string
  readonly outcome?: string
  readonly reason?: string
}

/** `curl -T` to the URL of the job. */
async function upload({ url, password }: Job, zip: Buffer, folder: string): Promise<void> {
  const file = join(folder, 'upload.zip')
  writeFileSync(file, zip)
  assert.match(await checked('curl', ['-sS', '-u', `upload:${password}`, '-T', file, url]), /"success"/)
}

const page = ({ address }: Machine): Promise<string> =>
  checked('curl', ['-sS', '-m', '10', `http://${address}/`])

/** A site for the decoy web server, and a file for the decoy share. */
async function bringFiles(api: Api, bird: Machine, folder: string, say: Stage['say']): Promise<void> {
  const { nodeId: node_id, address } = bird
  const site = writeZip([zipEntry('index.html', '<h1>the owner’s site</h1>')])
  await upload(await api.post<Job>('/webrootupload/start', { node_id }), site, folder)
  await until(
    'the site is shown',
    async () => (await page(bird)).includes('the owner’s site') || undefined,
    30_000,
    200,
  )
  say('webroot: curl -T, and curl shows the page')

  const staff = randomBytes(300_000)
  const zip = writeZip([zipEntry('HR/Staff.xlsx', staff)])
  await upload(await api.post<Job>('/shareupload/start', { node_id }), zip, folder)
  await api.post('/shareupload/end', { node_id })
  const { outcome, reason } = await until('the share is there', async () => {
    const job = await api.get<Job>('/shareupload/status', { node_id })
    return job.outcome === '' ? undefined : job
  })
  assert.equal(outcome, 'applied', reason)
  const settings = JSON.stringify({ 'smb.enabled': true })
  await api.post('/device/configure', { node_id, merge: true, settings })
  const copy = join(folder, 'Staff.xlsx')
  const [share] = await until(
    'the share listens',
    async () => {
      const { stdout } = await run('smbclient', ['-g', '-L', `//${address}`, '-U', 'bob%x'])
      const shares = [...stdout.matchAll(/^Disk\|([^|$]+)\|/gm)].map(([, name = '']) => name)
      return shares.length > 0 ? shares : undefined
    },
    60_000,
    500,
  )
  await checked('smbclient', [
    `//${address}/${share}`,
    ...['-U', 'bob%x', '-c', `get HR\\Staff.xlsx ${copy}`],
  ])
  assert.ok(readFileSync(copy).equals(staff), 'smbclient got other bytes than were uploaded.')
  say('share: curl -T, and smbclient get has the same 300,000 bytes')
}

interface Bundle {
  readonly state: string
  readonly reason: string
}

/** Asks for an update, and waits for its end. */
async function update(api: Api, params: Params): Promise<Bundle> {
  const { bundle_tag } = await api.post<{ bundle_tag: string }>('/device/update', params)
  return until(
    'the update has ended',
    async () => {
      const { bundle } = await api.get<{ bundle: Bundle }>('/bundle/info', { bundle_tag })
      return /applied|failed|rolled back/.test(bundle.state) ? bundle : undefined
    },
    UPDATE_MS,
    200,
  )
}

async function versionOf(api: Api, { nodeId }: Machine): Promise<string | undefined> {
  const { devices } = await api.get<{ devices: { id: string; version: string; live: boolean }[] }>(
    '/devices/all',
  )
  return devices.find(({ id, live }) => id === nodeId && live)?.version
}

/** A release that passes its own test, and ends at each start as a Bird. */
async function brokenArchive(folder: string): Promise<string> {
  const files = new Map(await bundleBird(clone, BROKEN))
  const main = files.get('rookery-bird.mjs')?.toString() ?? ''
  const broken = main.replace(
    'process.umask(63)',
    "process.argv[2]==='bird'&&process.exit(9);process.umask(63)",
  )
  assert.notEqual(broken, main)
  files.set('rookery-bird.mjs', Buffer.from(broken))
  const path = join(folder, `rookery-bird-${BROKEN}.tar.zst`)
  writeFileSync(path, packFiles(files))
  return path
}

const proof: Proof = {
  title: 'two Birds of a package take uploads and a signed update, and roll back one that does not work',
  needs: ['unshare', 'nsenter', 'ip', 'curl', 'smbclient', 'dpkg-deb'],
  isIsolated: true,
  limitMs: 900_000,
  async prove({ folder, say, skip }) {
    if (process.getuid?.() !== 0) return skip('needs root: it makes network namespaces')
    const startedAt = performance.now()
    const [keys, releases, dataDir] = ['keys', 'releases', 'data'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    mkdirSync(dataDir)
    const release = (...args: string[]): Promise<string> => rookery(['release', ...args], {})
    const sign = async (archive: string, seq: string): Promise<void> => {
      await release('sign', archive, '--key', join(keys, 'release-key.pem'), '--seq', seq)
    }
    await release('keygen', '--output', keys)
    const list = join(keys, 'release-keys.json')
    const deb = await rookery(['package', 'deb', 'bird', '--out', folder, '--release-keys', list], {})
    const next = (await release('build', '--version', NEXT, '--output', releases)).trim()
    await sign(next, '1')
    const broken = await brokenArchive(releases)
    await sign(broken, '2')
    say(`keys, a package and two releases in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)

    const console = await startConsole({ dataDir, env: { ROOKERY_LISTEN: `0.0.0.0:${PORT}` }, ports: PORTS })
    const api = apiOf(console)
    const birds: (Machine & { close(): void })[] = []
    try {
      const add = async (archive: string): Promise<string> =>
        (
          await rookery(['release', 'add', archive, '--release-keys', list], { ROOKERY_DATA_DIR: dataDir })
        ).trim()
      for (const n of [1, 2]) {
        const root = join(folder, `machine-${n}`)
        await checked('dpkg-deb', ['-x', deb.trim(), root])
        birds.push(
          await startMachine(n, root, (await rookery(['enrol'], { ROOKERY_DATA_DIR: dataDir })).trim()),
        )
      }
      const [first, second] = birds
      assert.ok(first && second)
      say('two Birds stand, each on a machine of its own')
      await bringFiles(api, first, folder, say)

      const update_tag = await add(next)
      const updating = performance.now()
      await api.post('/settings/automatic_updates/enable')
      await until(
        'the first Bird is updated by itself',
        async () => {
          const versions = [await versionOf(api, first), await versionOf(api, second)]
          return versions.includes(NEXT) || undefined
        },
        UPDATE_MS,
        200,
      )
      say(`one Bird runs ${NEXT} ${((performance.now() - updating) / 1000).toFixed(1)} s later, by itself`)
      await api.post('/settings/automatic_updates/disable')
      const other = (await versionOf(api, first)) === NEXT ? second : first
      const done = await update(api, { node_id: other.nodeId, update_tag, use_console_url: true })
      assert.deepEqual([done.state, done.reason], ['applied', ''])
      assert.match(await page(first), /the owner’s site/)
      say(`the other by device/update, over HTTP; the uploaded site is still shown`)

      const bad = await add(broken)
      const failed = await update(api, { node_id: first.nodeId, update_tag: bad })
      assert.deepEqual(
        [failed.state, failed.reason],
        ['rolled back', 'rolled back: it was started 3 times and never worked'],
      )
      assert.equal(await until('it is back', () => versionOf(api, first), 60_000, 200), NEXT)
      assert.match(await page(first), /the owner’s site/)
      say(`${BROKEN} was rolled back to ${NEXT}: ${failed.reason}`)
    } finally {
      for (const bird of birds) bird.close()
      await console.stop()
    }
  },
}

const PORTS = { port: PORT, tokensPort: 8081, dnsPort: 8053 }

export default proof

// An image from its sources to a Bird that reports: built here, handed out by a console, started without KVM, seeded.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startConsole, type RunningConsole } from '../rig/scenes/console.ts'
import { freePort } from '../../tools/free-port.ts'
import { nodePath, root } from '../../tools/clone.mjs'
import { run } from './lib/command.ts'
import { until } from './lib/until.ts'
import { powerOn, type VirtualMachine } from './lib/virtual-machine.ts'
import type { Proof, Stage } from './lib/proof.ts'

const MEMORY_MB = 256
const PENDING_MS = 240_000
const BUILD_MS = 1_800_000
/** Of what is not promised: a start with a seed. */
const PATIENCE_MS = 600_000

interface Scene {
  readonly console: RunningConsole
  readonly folder: string
  readonly say: Stage['say']
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`

/** Throws with what it said when it fails. */
async function checked(program: string, args: readonly string[], patienceMs = 120_000): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, { patienceMs })
  assert.equal(code, 0, `${program} ${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

const rookery = (...args: readonly string[]): Promise<string> =>
  checked(
    nodePath(),
    ['--disable-warning=ExperimentalWarning', join(root, '.build/rookery.mjs'), ...args],
    BUILD_MS,
  )

/** Downloads by the link of an operation as people do, in two parts; answers the file. */
async function download(
  { console, folder }: Scene,
  path: string,
  params: Record<string, string>,
): Promise<string> {
  const { status, text, json } = await console.get(path, { version: params['version'] ?? '', ...params })
  assert.equal(status, 200, text)
  const link = String(json['link'] ?? json['seedlink'])
  const here = link.replace('10.0.2.2', '127.0.0.1')
  const file = join(folder, decodeURIComponent(new URL(link).pathname.split('/').at(-1) ?? ''))
  await checked('curl', ['-sSf', '-r', '0-499', '-o', file, here])
  await checked('curl', ['-sSf', '-C', '-', '-o', file, here])
  return file
}

async function ids({ console }: Scene, path: string): Promise<string[]> {
  const { json } = await console.get(path)
  return (json['devices'] as readonly { readonly id: string }[]).map(({ id }) => id)
}

/** From the power to a pending Bird. */
async function becomesPending(scene: Scene, disk: string): Promise<string> {
  const machine = powerOn(MEMORY_MB, disk)
  try {
    const id = await until(
      'the machine is pending',
      async () => (await ids(scene, '/devices/commission/pending'))[0],
      PATIENCE_MS,
      500,
    )
    const ms = performance.now() - machine.startedAt
    scene.say(
      `pending ${(ms / 1000).toFixed(0)} s after power-on, with ${MEMORY_MB} MB (${await machine.cpuSeconds()} s of CPU)`,
    )
    assert.ok(ms <= PENDING_MS, `It took longer than ${PENDING_MS / 1000} s.`)
    return id
  } finally {
    await machine.cut()
  }
}

/** Until the Bird is connected again, and commissioned. */
async function isLive(scene: Scene, id: string, machine: VirtualMachine, what: string): Promise<void> {
  try {
    await until(
      `${what}: the Bird is live`,
      async () => (await ids(scene, '/devices/live')).includes(id) || undefined,
      PATIENCE_MS,
      500,
    )
    scene.say(`${what}: live ${seconds(machine.startedAt)} after power-on`)
    assert.deepEqual(await ids(scene, '/devices/commission/pending'), [])
  } finally {
    await machine.cut()
  }
  await until(
    'the console notices that the machine is gone',
    async () => (await ids(scene, '/devices/live')).length === 0 || undefined,
    PATIENCE_MS,
    500,
  )
}

const proof: Proof = {
  title: 'an image that is built here starts in 256 MB, is pending, joins by a seed disk, and stays enrolled',
  needs: ['mmdebstrap', 'mke2fs', 'mformat', 'syslinux', 'qemu-img', 'qemu-system-x86_64', 'unzip', 'curl'],
  limitMs: 5_400_000,
  async prove({ folder, say, skip }) {
    if (process.arch !== 'x64') return skip(`images are of x64; this machine is ${process.arch}`)
    const [port, tokensPort, dnsPort] = [await freePort(), await freePort(), await freePort()]
    const url = `http://10.0.2.2:${port}`
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const builtAt = performance.now()
    const images = (await rookery('image', 'build', '--out', join(folder, 'images'), '--console', url))
      .trim()
      .split('\n')
    say(`${images.length} images built in ${seconds(builtAt)}`)
    for (const image of images) await rookery('image', 'add', image, '--data-dir', dataDir)

    const ports = { port, tokensPort, dnsPort }
    const console = await startConsole({ dataDir, ports, env: { ROOKERY_PUBLIC_URL: url } })
    const scene = { console, folder, say }
    const version = /rookery-bird-(.+)\.ova$/.exec(images[0] ?? '')?.[1] ?? ''
    const files = [
      await download(scene, '/vmadecoy/download', { version, format: 'ova' }),
      await download(scene, '/vmadecoy/download', { version }),
      await download(scene, '/vmbdecoy/download', { version, format: 'zip' }),
    ]
    assert.deepEqual(files.map(sha256), images.map(sha256))
    const [ova = '', vmx = '', vhdx = ''] = files
    for (const zip of [vmx, vhdx]) await checked('unzip', ['-oq', zip, '-d', folder])
    for (const [format, name] of [
      ['vmdk', 'rookery-bird.vmdk'],
      ['vhdx', 'rookery-bird.vhdx'],
    ] as const)
      await checked('qemu-img', ['check', '-q', '-f', format, join(folder, name)])
    await checked('tar', ['-xf', ova, '-C', folder])
    say('the ova, the vmdk and the vhdx are whole after a download in two parts')

    const disk = join(folder, 'machine.qcow2')
    const base = join(folder, 'rookery-bird-disk1.vmdk')
    await checked('qemu-img', ['create', '-q', '-f', 'qcow2', '-b', base, '-F', 'vmdk', disk])
    const id = await becomesPending(scene, disk)
    await checked('unzip', [
      '-oq',
      await download(scene, '/vmadecoy/downloadseed', { version }),
      '-d',
      folder,
    ])
    const seed = { file: join(folder, 'rookery-seed.vmdk'), format: 'vmdk' } as const
    await isLive(scene, id, powerOn(MEMORY_MB, disk, seed), 'with the seed disk')
    const other = {
      file: await download(scene, '/vmbdecoy/downloadseed', { version }),
      format: 'vpc',
    } as const
    await isLive(scene, id, powerOn(MEMORY_MB, disk, other), 'with the seed disk of another machine')
    const { json } = await console.get('/enrolments/list')
    assert.equal((json['enrolments'] as readonly unknown[]).length, 1, 'The second code was used, too.')
    await console.stop()
  },
}

export default proof

// The container of a Bird, made by the steps of its Dockerfile and run as an engine runs it: another user, no capability, a
// read-only root, namespaces of its own. There is no engine in it, and the network is this machine's.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DECOY_PORTS } from '../../bench/scenes/local-bird.ts'
import { BIRD_FLAGS } from '../../packages/cli/bin/node-settings.mjs'
import { root as clone } from '../../tools/clone.mjs'
import { freeOffset } from '../../tools/free-port.ts'
import { rookery, run } from '../lib/command.ts'
import { bootstrap } from '../lib/debian-machine.ts'
import { buildContainer, type Container } from '../lib/dockerfile.ts'
import { incidentWith } from '../lib/incidents.ts'
import { startProduct } from '../lib/product.ts'
import { redis } from '../lib/touch.ts'
import { until } from '../lib/until.ts'
import type { Proof } from '../proof.ts'

const DOCKERFILE = join(clone, 'deploy/container/bird/Dockerfile')

/** `docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges -v …:/data`. */
const ENTER = `set -e
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
mount --bind "$DATA" "$ROOT/data"
mount -t tmpfs tmpfs "$ROOT/tmp"
mount -t proc proc "$ROOT/proc"
mount -o remount,ro,bind "$ROOT"
exec chroot "$ROOT" "$@"`

/** The words that run a command inside; the last ones are its own. */
function inside({ root, user, env }: Container, more: Readonly<Record<string, string>>): string[] {
  const [uid = '', gid = ''] = user.split(':')
  const rights = ['--clear-groups', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']
  const variables = Object.entries({ ...env, ...more }).map(([name, value]) => `${name}=${value}`)
  return [
    ...['env', `ROOT=${root}`, `DATA=${root}/../volume`],
    ...['unshare', '--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child', 'sh', '-c', ENTER, 'sh'],
    ...['setpriv', `--reuid=${uid}`, `--regid=${gid}`, ...rights, 'env', '-i', ...variables],
  ]
}

const proof: Proof = {
  title: 'the container of a Bird works without root, without capabilities and on a read-only file system',
  needs: ['debootstrap', 'unshare', 'setpriv'],
  limitMs: 900_000,
  async prove({ folder, say, skip }) {
    if (process.getuid?.() !== 0) return skip('needs root: it makes namespaces and a root of its own')
    const context = join(folder, 'packages')
    await rookery(['package', 'deb', 'bird', '--out', context], {})
    const base = join(folder, 'base')
    await bootstrap(base)
    const container = await buildContainer(DOCKERFILE, context, base, folder)
    assert.deepEqual(container.entrypoint.slice(1, -2), BIRD_FLAGS)
    // A new volume gets what the image has there, with its owner.
    await run('cp', ['-a', join(container.root, 'data'), join(folder, 'volume')])

    const product = await startProduct(folder)
    const code = (await rookery(['enrol'], { ROOKERY_DATA_DIR: product.console.dataDir })).trim()
    const offset = await freeOffset(DECOY_PORTS)
    const words = inside(container, {
      ROOKERY_CONSOLE: `http://127.0.0.1:${product.console.port}`,
      ROOKERY_ENROL: code,
      ROOKERY_BIRD_PORT_OFFSET: String(offset),
    })
    const within = async (...command: string[]) =>
      run(words[0] ?? '', [...words.slice(1), ...command], { patienceMs: 60_000 })
    const written = await within('touch', '/etc/here', '/usr/lib/rookery-bird/here')
    assert.match(written.stderr, /Read-only file system[^]*Read-only file system/)
    const status = (await within('cat', '/proc/self/status')).stdout
    assert.match(status, /^Uid:\t65532\t65532\t65532\t65532$/m)
    assert.match(status, /^CapEff:\t0{16}$/m)
    assert.match(status, /^CapBnd:\t0{16}$/m)
    say('inside: user 65532, no capability, nothing to write but /data and /tmp')

    const [program = '', ...args] = [...words, ...container.entrypoint]
    const bird = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [bird.stdout, bird.stderr])
      stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const nodeId = await until(
      'the Bird stands',
      () => /Bird ([0-9a-f]+) is running on .*, open ports: .*redis/.exec(said)?.[1],
      120_000,
    ).catch((error: Error) => {
      throw new Error(`${error.message}\n${said}`)
    })
    await redis(6379 + offset, 'ECHO contained')
    await incidentWith(product.console, '21001', { CMD: 'ECHO', ARGS: 'contained' }, nodeId)
    say(`enrolled by a code: a touch of it is an incident of ${nodeId}`)

    // As `docker stop` does: SIGTERM to the first process.
    const ended = new Promise<number | null>((resolve) => bird.once('exit', resolve))
    const { stdout } = await run('pgrep', ['-P', String(bird.pid)])
    process.kill(Number(stdout.split('\n')[0]), 'SIGTERM')
    assert.equal(await ended, 0, said)
    assert.match(readFileSync(join(folder, 'volume/bird/identity.json'), 'utf8'), /"key"/)
    await product.console.stop()
  },
}

export default proof

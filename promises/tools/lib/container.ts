// A container that lib/dockerfile.ts has made, run as an engine runs it: another user, no capability, a read-only root, namespaces of
// its own. There is no engine in it, and the network is this machine's.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { run, type Ran } from './command.ts'
import type { Container } from './dockerfile.ts'

export interface RunningContainer {
  /** All that it printed. */
  said(): string
  /** As `docker stop` does: SIGTERM to the first process. Answers its exit code. */
  stop(): Promise<number | null>
}

export interface OpenContainer {
  /** As `docker exec` does, also before the start. */
  within(...command: string[]): Promise<Ran>
  start(): RunningContainer
}

/** `docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges -v …:/data`. */
const ENTER = `set -e
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
mount --bind "$DATA" "$ROOT/data"
mount -t tmpfs tmpfs "$ROOT/tmp"
mount -t proc proc "$ROOT/proc"
mount -o remount,ro,bind "$ROOT"
exec chroot "$ROOT" "$@"`

/** With a new volume at `volume`, and these variables besides those of its Dockerfile. */
export async function openContainer(
  { root, user, env, entrypoint }: Container,
  volume: string,
  more: Readonly<Record<string, string>>,
): Promise<OpenContainer> {
  // It gets what the image has there, with its owner.
  await run('cp', ['-a', join(root, 'data'), volume])
  const [uid = '', gid = ''] = user.split(':')
  const rights = ['--clear-groups', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']
  const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const variables = Object.entries({ ...env, ...more }).map(([name, value]) => `${name}=${value}`)
  const words = [
    ...[`ROOT=${root}`, `DATA=${volume}`],
    ...['unshare', '--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child', 'sh', '-c', ENTER, 'sh'],
    ...['setpriv', `--reuid=${uid}`, `--regid=${gid}`, ...rights, 'env', '-i', path, ...variables],
  ]
  return {
    within: (...command) => run('env', [...words, ...command], { patienceMs: 60_000 }),
    start() {
      const child = spawn('env', [...words, ...entrypoint], { stdio: ['ignore', 'pipe', 'pipe'] })
      let text = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
      const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
      return {
        said: () => text,
        async stop() {
          const { stdout } = await run('pgrep', ['-P', String(child.pid)])
          process.kill(Number(stdout.split('\n')[0]), 'SIGTERM')
          return gone
        },
      }
    },
  }
}

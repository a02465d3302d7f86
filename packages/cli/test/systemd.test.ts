// A service of systemd with Type=notify: it says when it serves, and its event loop gives signs of life.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import ffi from 'koffi'
import { expect, it, onTestFinished } from 'vitest'
import { newFolder } from './run-rookery.ts'

const CHILD = join(import.meta.dirname, 'supervised.child.ts')
const [AF_UNIX, SOCK_DGRAM, MSG_DONTWAIT] = [1, 2, 0x40]
const c = ffi.load('libc.so.6')
const socket = c.func('int socket(int, int, int)') as (...args: number[]) => number
const bind = c.func('int bind(int, const uint8_t *, uint32_t)') as (
  fd: number,
  to: Buffer,
  size: number,
) => number
const receive = c.func('intptr_t recv(int, _Out_ uint8_t *, size_t, int)') as (
  fd: number,
  into: Buffer,
  size: number,
  flags: number,
) => number
const close = c.func('int close(int)') as (fd: number) => number

/** The socket that systemd gives a service; what has arrived there until now. */
function listenAt(name: string): () => string[] {
  const fd = socket(AF_UNIX, SOCK_DGRAM, 0)
  const address = Buffer.concat([Buffer.from([AF_UNIX, 0]), Buffer.from(name)])
  expect(bind(fd, address, address.length)).toBe(0)
  onTestFinished(() => void close(fd))
  const seen: string[] = []
  const into = Buffer.alloc(256)
  return () => {
    for (;;) {
      const size = receive(fd, into, into.length, MSG_DONTWAIT)
      if (size < 0) return seen
      seen.push(into.toString('latin1', 0, size))
    }
  }
}

function start(socketName: string) {
  const child = spawn(process.execPath, [CHILD], {
    stdio: 'ignore',
    env: { ...process.env, NOTIFY_SOCKET: socketName, WATCHDOG_USEC: '300000' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const signs = (all: readonly string[]): number => all.filter((it) => it === 'WATCHDOG=1').length

it('a service of systemd says that it serves, then gives signs of life until its main thread hangs', async () => {
  const path = join(newFolder(), 'notify')
  const arrived = listenAt(`${path}\0`)
  const child = start(path)
  await expect.poll(() => signs(arrived()), { timeout: 20_000 }).toBeGreaterThan(2)
  expect(arrived()[0]).toBe('READY=1')
  // The child's own watchdog, of half a second, ends it.
  const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
  child.kill('SIGUSR2')
  expect(await ended).toBe('SIGKILL')
  expect(new Set(arrived().slice(1))).toEqual(new Set(['WATCHDOG=1']))
})

it('the socket may have an abstract name', async () => {
  const name = `rookery-test-${process.pid}`
  const arrived = listenAt(`\0${name}`)
  start(`@${name}`)
  await expect.poll(arrived, { timeout: 20_000 }).toContain('READY=1')
})

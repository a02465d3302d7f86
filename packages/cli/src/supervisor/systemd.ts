// What systemd expects of a service with Type=notify (sd_notify(3)): that it serves, that it is stopping, and signs of life.
import { environment } from '@rookery/console/config/config.ts'
import { writeLogLine } from '../log-line.ts'

const AF_UNIX = 1
const SOCK_DGRAM = 2
const SOCK_CLOEXEC = 0o2000000
/** Signs of life in the time after which systemd ends a silent service. */
const SIGNS = 3

/**
 * What is to be called once the start is over; undefined when systemd did not start this process. From then on the event loop sends
 * the signs of life: a main thread that hangs sends none, and systemd starts the service again.
 */
export function systemdNotices(): (() => void) | undefined {
  const { NOTIFY_SOCKET: socket = '', WATCHDOG_USEC: silence = '' } = environment()
  if (socket === '') return undefined
  return () => {
    openNotifier(socket).then(
      (notify) => {
        notify('READY=1')
        const silenceMs = Number(silence) / 1_000
        if (silenceMs > 0) setInterval(() => notify('WATCHDOG=1'), silenceMs / SIGNS).unref()
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => notify('STOPPING=1'))
      },
      (error: unknown) =>
        writeLogLine('error', `systemd cannot be notified at ${socket}: ${(error as Error).message}`),
    )
  }
}

/** Node has no datagram sockets of Unix: the C library sends them. */
async function openNotifier(path: string): Promise<(state: string) => void> {
  const { default: ffi } = await import('koffi')
  const c = ffi.load('libc.so.6')
  const open = c.func('int socket(int domain, int type, int protocol)') as (...args: number[]) => number
  const send = c.func(
    'intptr_t sendto(int fd, const uint8_t *bytes, size_t size, int flags, const uint8_t *to, uint32_t to_size)',
  ) as (fd: number, bytes: Buffer, size: number, flags: number, to: Buffer, toSize: number) => number
  const fd = open(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)
  if (fd < 0) throw new Error(`socket(AF_UNIX) failed with errno ${ffi.errno()}`)
  const address = addressOf(path)
  return (state) => {
    const bytes = Buffer.from(state)
    if (send(fd, bytes, bytes.length, 0, address, address.length) < 0)
      writeLogLine('warning', `systemd did not get ${state}: sendto failed with errno ${ffi.errno()}`)
  }
}

/** `struct sockaddr_un`: the family in the machine's order, then the path; one that begins with @ is abstract (unix(7)). */
function addressOf(path: string): Buffer {
  const isAbstract = path.startsWith('@')
  const name = Buffer.from(isAbstract ? `\0${path.slice(1)}` : `${path}\0`)
  const family = new Uint8Array(new Uint16Array([AF_UNIX]).buffer)
  return Buffer.concat([family, name])
}

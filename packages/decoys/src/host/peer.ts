// Who is at the other end of a connection.
import { createRequire } from 'node:module'
import { SocketAddress, type Socket } from 'node:net'
import { endianness } from 'node:os'
import type { default as Koffi } from 'koffi'
import { normalizeAddress } from './host-context.ts'
import type { Endpoint } from './host-touch.ts'

/** `struct sockaddr_in`, `struct sockaddr_in6`: 2 port, 4 address of IPv4, 8 address of IPv6. */
const AF_INET = 2
const AF_INET6 = 10
/** Their sizes; the kernel refuses to fill more. */
const SIZES = [28, 16]

const SOL_SOCKET = 1
const SO_PEERNAME = 28

/**
 * Its address and port. A connect scan resets a connection before it is accepted: then getpeername(2), which Node.js asks,
 * fails, and SO_PEERNAME (Linux) still says what accept(2) would have. Undefined where the system has no such option.
 */
export function peerOf(socket: Socket): Endpoint | undefined {
  const { remoteAddress, remotePort = -1 } = socket
  if (remoteAddress) return { host: normalizeAddress(remoteAddress), port: remotePort }
  const fd = descriptorOf(socket)
  return fd === undefined ? undefined : peerName(fd)
}

/** Node.js shows it to no one; it is -1 once the socket is closed. */
function descriptorOf(socket: Socket): number | undefined {
  const { _handle: handle } = socket as unknown as { readonly _handle?: { readonly fd?: number } | null }
  const fd = handle?.fd ?? -1
  return fd < 0 ? undefined : fd
}

type GetOption = (fd: number, level: number, option: number, value: Buffer, length: number[]) => number

let getOption: GetOption | undefined

function peerName(fd: number): Endpoint | undefined {
  try {
    const ask = (getOption ??= loadGetOption())
    const addresses = SIZES.map((size) => Buffer.alloc(size))
    const address = addresses.find((it) => ask(fd, SOL_SOCKET, SO_PEERNAME, it, [it.length]) === 0)
    return address && read(address)
  } catch {
    // Another system, or a C library without the call.
    return undefined
  }
}

/** The library takes 7 MB, and most Birds never need it: it is loaded at the first such connection. */
function loadGetOption(): GetOption {
  const { load } = createRequire(import.meta.url)('koffi') as typeof Koffi
  return load(null).func('int getsockopt(int, int, int, void *, _Inout_ uint32_t *)') as GetOption
}

function read(address: Buffer): Endpoint | undefined {
  const family = endianness() === 'LE' ? address.readUInt16LE(0) : address.readUInt16BE(0)
  const port = address.readUInt16BE(2)
  if (family === AF_INET) return { host: address.subarray(4, 8).join('.'), port }
  if (family !== AF_INET6) return undefined
  const groups = Array.from({ length: 8 }, (_, n) => address.readUInt16BE(8 + 2 * n).toString(16))
  const { address: text } = new SocketAddress({ address: groups.join(':'), family: 'ipv6' })
  return { host: normalizeAddress(text), port }
}

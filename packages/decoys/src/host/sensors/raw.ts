// A packet socket (packet(7)): IP packets as they arrive, before any port is looked up. Needs Linux and CAP_NET_RAW alone. Its
// reads block the thread, so that it belongs into one of its own.
import { getSystemErrorMap } from 'node:util'
import type { default as Koffi, TypeObject } from 'koffi'

/** `struct sock_filter` (linux/filter.h). */
export type Instruction = readonly [code: number, jt: number, jf: number, k: number]

export interface PacketSocket {
  /**
   * Hands over the packets that wait, at most `most`; without any, it waits for one, at most a quarter of a second. The
   * bytes begin with the IP header and are overwritten by the next packet. Answers how many there were.
   */
  receive(most: number, take: (bytes: Buffer, mac: string) => void): number
  close(): void
}

const AF_PACKET = 17
const SOCK_DGRAM = 2
const SOCK_CLOEXEC = 0o2000000
const SOL_SOCKET = 1
const SO_RCVBUF = 8
const SO_RCVTIMEO = 20
const SO_ATTACH_FILTER = 26
const MSG_DONTWAIT = 0x40
const ETH_P_ALL = 3
const EAGAIN = 11
const EINTR = 4
/** The kernel takes what net.core.rmem_max allows. */
const BUFFER_BYTES = 8 * 1024 * 1024
const WAIT_US = 250_000
/** `struct sockaddr_ll`: 10 packet type, 11 length of the address, 12 address. */
const ADDRESS_BYTES = 20

/** Opens it and attaches the filter. Throws an Error that says what the system refused. */
export async function openPacketSocket(
  filter: readonly Instruction[],
  snapped: number,
): Promise<PacketSocket> {
  const { default: ffi } = await import('koffi')
  const c = systemCalls(ffi)
  const check = (result: number, what: string): number => {
    if (result >= 0) return result
    throw new Error(`${what} failed: ${errorName(ffi.errno())}`)
  }
  // With protocol 0 it receives nothing until it is bound, so that no packet comes past the filter.
  const fd = check(c.socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0), 'socket(AF_PACKET)')
  try {
    const program = { len: filter.length, filter: encode(filter) }
    check(c.setFilter(fd, SOL_SOCKET, SO_ATTACH_FILTER, program, c.programBytes), 'SO_ATTACH_FILTER')
    check(c.setNumber(fd, SOL_SOCKET, SO_RCVBUF, [BUFFER_BYTES], 4), 'SO_RCVBUF')
    check(c.setTime(fd, SOL_SOCKET, SO_RCVTIMEO, { sec: 0, usec: WAIT_US }, c.timeBytes), 'SO_RCVTIMEO')
    check(c.bind(fd, bindAddress(), ADDRESS_BYTES), 'bind')
  } catch (error) {
    c.close(fd)
    throw error
  }

  const packet = Buffer.alloc(snapped)
  const sender = Buffer.alloc(ADDRESS_BYTES)
  return {
    receive(most, take) {
      for (let count = 0; count < most; count++) {
        const flags = count === 0 ? 0 : MSG_DONTWAIT
        const length = c.receive(fd, packet, snapped, flags, sender, [ADDRESS_BYTES])
        if (length >= 0) take(packet.subarray(0, length), macOf(sender))
        else if ([EAGAIN, EINTR].includes(ffi.errno())) return count
        else check(length, 'recvfrom')
      }
      return most
    },
    close: () => void c.close(fd),
  }
}

/** The functions of the C library that are called. */
function systemCalls(ffi: typeof Koffi) {
  const library = ffi.load(null)
  const program = ffi.struct({ len: 'uint16_t', filter: 'void *' })
  const time = ffi.struct({ sec: 'long', usec: 'long' })
  const setOption = (value: string | TypeObject) =>
    library.func('setsockopt', 'int', ['int', 'int', 'int', value, 'uint32_t'])
  return {
    socket: library.func('int socket(int, int, int)'),
    bind: library.func('int bind(int, void *, uint32_t)'),
    close: library.func('int close(int)'),
    receive: library.func('long recvfrom(int, void *, size_t, int, void *, _Inout_ uint32_t *)'),
    setFilter: setOption(ffi.pointer(program)),
    setTime: setOption(ffi.pointer(time)),
    setNumber: setOption('int *'),
    programBytes: ffi.sizeof(program),
    timeBytes: ffi.sizeof(time),
  }
}

const IS_LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/** As `struct sock_filter[]`, in this machine's byte order. */
function encode(filter: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(8 * filter.length)
  const [write16, write32] = IS_LITTLE
    ? [bytes.writeUInt16LE.bind(bytes), bytes.writeUInt32LE.bind(bytes)]
    : [bytes.writeUInt16BE.bind(bytes), bytes.writeUInt32BE.bind(bytes)]
  filter.forEach(([code, jt, jf, k], index) => {
    write16(code, 8 * index)
    bytes.set([jt, jf], 8 * index + 2)
    write32(k, 8 * index + 4)
  })
  return bytes
}

/** Every interface, every protocol. */
function bindAddress(): Buffer {
  const address = Buffer.alloc(ADDRESS_BYTES)
  if (IS_LITTLE) address.writeUInt16LE(AF_PACKET, 0)
  else address.writeUInt16BE(AF_PACKET, 0)
  address.writeUInt16BE(ETH_P_ALL, 2)
  return address
}

/** Empty where the link has no addresses of six bytes, and for loopback, whose address is zero. */
function macOf(sender: Buffer): string {
  if (sender[11] !== 6) return ''
  const mac = sender.subarray(12, 18)
  return mac.every((byte) => byte === 0) ? '' : mac.toString('hex').replace(/(..)(?=.)/g, '$1:')
}

/** `EPERM`, or the number of an error that Node does not name. */
const errorName = (number: number): string => getSystemErrorMap().get(-number)?.[0] ?? `error ${number}`

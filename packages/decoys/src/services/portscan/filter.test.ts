// The filter as the kernel runs it: an interpreter after bpf(4) and linux/filter.h reads the same program.
import { expect, it } from 'vitest'
import fc from 'fast-check'
import { ipv4Packet, ipv6Packet } from '../../../test/packets.ts'
import { decode, technique } from './codec.ts'
import { scanFilter, SNAPPED } from './filter.ts'

const ETHER = { ipv4: 0x0800, ipv6: 0x86dd, arp: 0x0806 }
const PACKET = { host: 0, broadcast: 1, other: 3, outgoing: 4 }

/** Bytes that the program lets through; a load behind the end of the packet drops it. */
function run(packet: Buffer, protocol: number, type = PACKET.host): number {
  let [a, x] = [0, 0]
  for (let at = 0; at < scanFilter.length; at++) {
    const [code, jt, jf, k] = scanFilter[at]!
    const load = (offset: number, bytes: number): number | undefined =>
      offset + bytes <= packet.length ? packet.readUIntBE(offset, bytes) : undefined
    let loaded: number | undefined
    switch (code) {
      case 0x20:
        loaded = k === 0xff_ff_f0_00 ? protocol : k === 0xff_ff_f0_04 ? type : load(k, 4)
        break
      case 0x28:
        loaded = load(k, 2)
        break
      case 0x30:
        loaded = load(k, 1)
        break
      case 0x50:
        loaded = load(x + k, 1)
        break
      case 0xb1: {
        const first = load(k, 1)
        if (first === undefined) return 0
        x = 4 * (first & 0x0f)
        continue
      }
      case 0x01:
        x = k
        continue
      case 0x54:
        a &= k
        continue
      case 0x15:
        at += a === k ? jt : jf
        continue
      case 0x45:
        at += a & k ? jt : jf
        continue
      case 0x06:
        return k
      default:
        throw new Error(`no such instruction: 0x${code.toString(16)}`)
    }
    if (loaded === undefined) return 0
    a = loaded
  }
  throw new Error('the program has no end')
}

const any16 = Buffer.from('20010db8000000000000000000000009', 'hex')

it('lets through the five kinds of probes, over IPv4 and IPv6, and nothing else of all flags', () => {
  for (let flags = 0; flags < 256; flags++) {
    const passes = technique(flags) === undefined ? 0 : SNAPPED
    expect(run(ipv4Packet({ flags }), ETHER.ipv4), `0x${flags.toString(16)}`).toBe(passes)
    expect(run(ipv4Packet({ flags, options: 10 }), ETHER.ipv4)).toBe(passes)
    expect(run(ipv6Packet({ flags }, any16, any16), ETHER.ipv6)).toBe(passes)
  }
})

it('drops what is not for this machine, no TCP, or the later part of a fragment', () => {
  const syn = ipv4Packet({ flags: 0x02 })
  for (const type of [PACKET.broadcast, PACKET.other, PACKET.outgoing])
    expect(run(syn, ETHER.ipv4, type)).toBe(0)
  expect(run(syn, ETHER.arp)).toBe(0)
  expect(run(ipv4Packet({ flags: 2, protocol: 17 }), ETHER.ipv4)).toBe(0)
  expect(run(ipv6Packet({ flags: 2, protocol: 17 }, any16, any16), ETHER.ipv6)).toBe(0)
  expect(run(ipv4Packet({ flags: 2, fragmentOffset: 3 }), ETHER.ipv4)).toBe(0)
  expect(run(ipv4Packet({ flags: 2, fragmentOffset: 0x4000 }), ETHER.ipv4)).toBe(SNAPPED)
})

it('ends on any bytes, and what it drops the codec takes for no probe', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 90 }),
      fc.constantFrom(...Object.values(ETHER)),
      (bytes, protocol) => {
        const packet = Buffer.from(bytes)
        const passes = run(packet, protocol)
        expect([0, SNAPPED]).toContain(passes)
        const version = protocol === ETHER.ipv4 ? 4 : protocol === ETHER.ipv6 ? 6 : -1
        if (passes === 0 && (packet[0] ?? 0) >> 4 === version) expect(decode(packet)).toBeUndefined()
      },
    ),
    { numRuns: 5_000 },
  )
})

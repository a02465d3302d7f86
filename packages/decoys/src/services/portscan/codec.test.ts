import { isIPv6, SocketAddress } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FLAGS, ipv4Packet, ipv6Packet } from '../../../test/packets.ts'
import { decode } from './codec.ts'

it.each(Object.entries(FLAGS))('reads a %s probe with all that its headers say', (technique, flags) => {
  const parts = {
    flags,
    srcPort: 51_234,
    dstPort: 443,
    ttl: 57,
    tos: 0xb8,
    window: 2_048,
    urgent: 7,
    reserved: 5,
  }
  const header = { id: 0x1234, length: 40, tos: 0xb8, ttl: 57, reserved: 5, window: 2_048, urgent: 7 }
  const ports = { srcPort: 51_234, dstPort: 443 }
  expect(decode(ipv4Packet({ ...parts, host: 200 }))).toEqual({
    src: '10.77.9.200',
    dst: '10.77.9.2',
    technique,
    ...ports,
    header,
  })
  const address = Buffer.from('20010db8000000010000000000000009', 'hex')
  expect(decode(ipv6Packet(parts, address, address))).toEqual({
    src: '2001:db8:0:1::9',
    dst: '2001:db8:0:1::9',
    technique,
    ...ports,
    header: { ...header, length: 60 },
  })
})

it('finds the TCP header behind IPv4 options', () => {
  expect(decode(ipv4Packet({ flags: 2, options: 10, dstPort: 8_080 }))?.dstPort).toBe(8_080)
})

it('takes ECN bits for nothing, and every segment with ACK or RST for no probe', () => {
  expect(decode(ipv4Packet({ flags: 0xc2 }))?.technique).toBe('syn')
  for (const flags of [0x12, 0x10, 0x04, 0x14, 0x11, 0x18])
    expect(decode(ipv4Packet({ flags }))).toBeUndefined()
})

it('answers undefined for every packet that is cut, and for any bytes that are no packet', () => {
  const whole = ipv4Packet({ flags: 2 })
  for (let length = 0; length < whole.length; length++)
    expect(decode(whole.subarray(0, length)), String(length)).toBeUndefined()
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const read = decode(Buffer.from(bytes))
      if (read) expect(read.dstPort).toBeLessThan(65_536)
    }),
    { numRuns: 5_000 },
  )
})

it('writes IPv6 addresses as Node does', () => {
  const group = fc.oneof(fc.constant(0), fc.nat(0xffff))
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const bytes = Buffer.alloc(16)
      groups.forEach((value, index) => bytes.writeUInt16BE(value, 2 * index))
      const text = decode(ipv6Packet({ flags: 2 }, bytes, bytes))?.src ?? ''
      expect(isIPv6(text)).toBe(true)
      const long = groups.map((value) => value.toString(16)).join(':')
      const ofNode = new SocketAddress({ address: long, family: 'ipv6' }).address
      // Node writes the last two groups of some in dotted form.
      if (!ofNode.includes('.')) expect(text).toBe(ofNode)
      expect(new SocketAddress({ address: text, family: 'ipv6' }).address).toBe(ofNode)
    }),
    { numRuns: 2_000 },
  )
})

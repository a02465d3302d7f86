// Packets of scanners, changed, read and counted as the Bird does with what it captures.
import { latin1, type Draw } from '../../test/draw.ts'
import { changeBytes } from '../../test/mutations/changes.ts'
import type { MutationTarget, MutationTargets } from '../../test/mutations/target.ts'
import type { Endpoint } from '../../src/host/host-touch.ts'
import { FLAGS, ipv4Packet, ipv6Packet } from '../../test/packets.ts'
import { decode, type HeaderFacts } from '../../src/services/portscan/codec.ts'
import { scanEvent } from '../../src/services/portscan/scan-event.ts'
import { scanWindow } from '../../src/services/portscan/scan-window.ts'

const PORTS = 5
const SECOND_MS = 1_000
/** Of one event; it lists ports. */
const MAX_EVENT_BYTES = 500_000

const change = changeBytes([0x45, 0x4f, 0x60, 6, 0x1fff])
const flags = Object.values(FLAGS)

function drawPacket(draw: Draw): Buffer {
  const parts = {
    flags: draw.pick(flags),
    dstPort: draw.int(65_536),
    host: draw.int(256),
    options: draw.int(11),
  }
  if (draw.chance(0.5)) return ipv4Packet(parts)
  const address = latin1(`\x20\x01\x0d\xb8${draw.bytes(12)}`)
  return ipv6Packet(parts, address, address)
}

interface Sample {
  readonly src: Endpoint
  readonly dst: Endpoint
  readonly header: HeaderFacts
}

/** Its window is one for all, as on a Bird: its clock goes on by some milliseconds a packet. */
function packets(): MutationTarget {
  const window = scanWindow<Sample>({ ports: PORTS })
  let now = Date.UTC(2026, 10, 20)
  const events = (): number =>
    window.due(now).reduce((most, report) => {
      const { fields } = scanEvent(report, { ...report.sample.header, mac: '' })
      return Math.max(most, JSON.stringify(fields).length)
    }, 0)
  return {
    // Of the events that are due with it.
    leastMeanAnswer: 20,
    converse(draw) {
      now += draw.int(SECOND_MS)
      const segment = decode(change(draw, drawPacket(draw)))
      if (segment) {
        const { src, dst, srcPort, technique, dstPort: port, header } = segment
        const sample = { src: { host: src, port: srcPort }, dst: { host: dst, port }, header }
        window.add(src, { technique, port, isOpen: draw.chance(0.2) }, sample, now)
      }
      const bytes = events()
      const fault = bytes > MAX_EVENT_BYTES ? `an event of ${bytes} bytes` : undefined
      return { frames: 1, answerBytes: bytes, ...(fault !== undefined && { fault }) }
    },
  }
}

export const mutations: MutationTargets = { portscan: packets() }

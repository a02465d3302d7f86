// TLS as Schannel speaks it inside of TDS, with the certificate that SQL Server makes for itself.
import type { SessionContext } from '../../../../session/session.ts'
import type { TlsPackets, TlsServer } from '../../../../session/tls-server.ts'
import { schannel } from '../../../../windows/schannel.ts'
import { fallbackCertificate } from './certificate.ts'
import {
  DEFAULT_PACKET_BYTES,
  HANDSHAKE_RECORD,
  HEADER_BYTES,
  PACKET,
  packets,
} from '../../protocol/codec.ts'
import { oneByOne, type RecordQueue } from '../../protocol/record-queue.ts'
import type { Version } from './profile.ts'

const HANDSHAKE_MS = 60_000

type CertificateContext = Pick<SessionContext, 'derive' | 'now'>

export const sqlServerTls = (
  { derive, now }: CertificateContext,
  { certificate }: Version,
  encryption: 'login' | 'all',
): TlsServer => ({
  profile: schannel,
  certificate: fallbackCertificate(derive, certificate, now()),
  handshakeMs: HANDSHAKE_MS,
  packets: () => handshakePackets(encryption === 'login' ? oneByOne() : ALL),
})

/** TDS 8.0: bare records from the first byte on, which the session has taken already ([MS-TDS] 3.3.5.3). */
export const tlsOfTds8 = ({ derive, now }: CertificateContext, { certificate }: Version): TlsServer => ({
  profile: { ...schannel, name: 'schannel-tds8', alpn: { protocols: ['tds/8.0'], otherwise: 'ignore' } },
  certificate: fallbackCertificate(derive, certificate, now()),
  handshakeMs: HANDSHAKE_MS,
  packets: recordsBehindFirstByte,
})

function recordsBehindFirstByte(): TlsPackets {
  let isFirst = true
  return {
    unwrap(bytes) {
      if (!isFirst || bytes.length === 0) return bytes
      isFirst = false
      return Buffer.concat([Buffer.from([HANDSHAKE_RECORD]), bytes])
    },
    wrap: (records) => records,
  }
}

const ALL: RecordQueue = { take: (bytes) => bytes, kept: () => Buffer.alloc(0) }

/** The handshake stands in packets of PRELOGIN ([MS-TDS] 2.2.6.5); what follows it are bare records, which `behind` takes. */
export function handshakePackets(behind = ALL): TlsPackets {
  let waiting = Buffer.alloc(0)
  let isOver = false
  const take = (length: number): Buffer => {
    const taken = waiting.subarray(0, length)
    waiting = waiting.subarray(length)
    return taken
  }
  return {
    unwrap(bytes) {
      if (isOver) return behind.take(bytes)
      waiting = Buffer.concat([waiting, bytes])
      const records: Buffer[] = []
      while (waiting.length > 0 && !isOver) {
        const length = waiting.length < HEADER_BYTES ? HEADER_BYTES : waiting.readUInt16BE(2)
        const isPacket =
          waiting[0] === PACKET.prelogin && length >= HEADER_BYTES && length <= DEFAULT_PACKET_BYTES
        if (isPacket && waiting.length < length) break
        if (isPacket) records.push(take(length).subarray(HEADER_BYTES))
        // No packet: the first record behind the handshake, or what OpenSSL refuses.
        else isOver = true
      }
      return Buffer.concat(isOver ? [...records, behind.take(take(waiting.length))] : records)
    },
    wrap: (records) => (isOver ? records : packets(PACKET.prelogin, records)),
    kept: behind.kept,
  }
}

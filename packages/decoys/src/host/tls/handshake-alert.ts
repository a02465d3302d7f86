// Alerts of a failed handshake (RFC 5246, 7.2) where the claimed library sends others than OpenSSL.
//
//     byte  0     1 … 2     3 … 4     5       6
//         ┌────┬─────────┬─────────┬───────┬─────────────┐
//         │ 21 │ version │    2    │ level │ description │
//         └────┴─────────┴─────────┴───────┴─────────────┘
import { readClientHello } from './client-hello.ts'

const ALERT = 21
const RECORD_HEADER = 5
const [WARNING, CLOSE_NOTIFY] = [1, 0]
const [TLS_1_0, TLS_1_2] = [0x0301, 0x0303]

/** Whole records, without those that are alerts. */
export function withoutAlerts(records: Buffer): Buffer {
  const kept: Buffer[] = []
  for (let at = 0; at < records.length;) {
    const end = at + RECORD_HEADER + (at + RECORD_HEADER <= records.length ? records.readUInt16BE(at + 3) : 0)
    if (records[at] !== ALERT) kept.push(records.subarray(at, end))
    at = end
  }
  return Buffer.concat(kept)
}

/** In the version that the hello leads to; without a readable one, in TLS 1.2. */
export function closeNotify(firstBytes: Buffer): Buffer {
  const hello = readClientHello(firstBytes)
  const offered = typeof hello === 'object' ? hello.version : TLS_1_2
  const version = offered < TLS_1_0 || offered > TLS_1_2 ? TLS_1_2 : offered
  return Buffer.from([ALERT, version >> 8, version & 0xff, 0, 2, WARNING, CLOSE_NOTIFY])
}

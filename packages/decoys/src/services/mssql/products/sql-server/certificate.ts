// The certificate that SQL Server makes for itself at its start, when it was given none: no extension, thirty years, and a name
// in UCS-2.
import { der } from '@rookery/kernel/der.ts'
import { nameOf } from '@rookery/kernel/x509-certificate.ts'
import { bootedAt } from '../../../../machine/boot-time.ts'
import { selfSigned, type Certificate } from '../../../../machine/certificate.ts'
import type { Derive } from '../../../../machine/draw.ts'
import type { Version } from './profile.ts'

const NAME = 'SSL_Self_Signed_Fallback'
const YEARS = 30
const BMP_STRING = 0x1e
const GUID_BYTES = 16
/** The server starts so long after its machine, at most. */
const MAX_START_MS = 90_000

/** Derives from the Bird's seed and the last start. */
export function fallbackCertificate(
  derive: Derive,
  { bits, hash }: Version['certificate'],
  now: number,
): Promise<Certificate> {
  const notBefore = startOf(derive, now)
  const notAfter = new Date(notBefore)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS)
  return selfSigned(derive, {
    label: `dbsrv_a/${notBefore}`,
    bits,
    hash,
    name: fallbackName(),
    serial: serialNumber,
    notBefore,
    notAfter: notAfter.getTime(),
    extensions: () => [],
  })
}

/** To the second. */
function startOf(derive: Derive, now: number): number {
  const afterBoot = derive('dbsrv_a/started', 4).readUInt32BE() % MAX_START_MS
  return Math.floor(Math.min(bootedAt(derive, now) + afterBoot, now) / 1_000) * 1_000
}

/** Windows takes UCS-2 for a name with an underscore, which PrintableString does not have. */
const fallbackName = (): Buffer =>
  nameOf(['commonName', der(BMP_STRING, Buffer.from(NAME, 'utf16le').swap16())])

/** A GUID of version 4 (RFC 9562, 5.4) as a number that is positive: its bytes in the other order. */
function serialNumber(drawn: Buffer): Buffer {
  const serial = Buffer.from(drawn.subarray(0, GUID_BYTES))
  serial[0] = serial[0]! & 0x7f || 1
  serial[7] = 0x80 | (serial[7]! & 0x3f)
  serial[8] = 0x40 | (serial[8]! & 0x0f)
  return serial
}

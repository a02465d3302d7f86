// Certificate authorities of the operator (`ROOKERY_OUTBOUND_CA`), read at the start.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Fault } from '@rookery/kernel/fault.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates of a PEM file, none for empty text; a file that has none is a `bad-input` that names it. */
export function readCaCertificates(path: string): readonly string[] {
  if (path === '') return []
  try {
    const found = readFileSync(path, 'utf8').match(CERTIFICATE) ?? []
    for (const pem of found) new X509Certificate(pem)
    if (found.length > 0) return found
  } catch (cause) {
    const why = (cause as Error).message
    throw new Fault('bad-input', `ROOKERY_OUTBOUND_CA: ${path} cannot be read: ${why}.`, { cause })
  }
  throw new Fault('bad-input', `ROOKERY_OUTBOUND_CA: ${path} holds no certificate in PEM.`)
}

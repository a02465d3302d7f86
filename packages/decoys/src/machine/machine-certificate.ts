// The certificate that the services of a machine share, as its kind of machine comes by one.
import { printableString, utf8String } from '@rookery/kernel/der.ts'
import {
  alternativeNames,
  distinguishedName,
  endEntityConstraints,
  extendedKeyUsage,
  keyUsage,
  nameOf,
  subjectKeyIdentifier,
} from '@rookery/kernel/x509-certificate.ts'
import { selfSigned, type Certificate, type CertificateForm } from './certificate.ts'
import type { Derive } from './draw.ts'
import type { MachineKind } from './machine-kind.ts'
import type { Story } from './story.ts'

export type Owner = Pick<Story, 'kind' | 'hostName' | 'names' | 'installedAt'>

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export const machineCertificate = (owner: Owner, derive: Derive, now: number): Promise<Certificate> =>
  selfSigned(derive, FORMS[owner.kind](owner, derive, now))

type Form = (owner: Owner, derive: Derive, now: number) => CertificateForm

/** OpenSSL draws 159 bits, so that the number is positive. */
const positive = ([first = 0, ...rest]: Buffer): Buffer => Buffer.from([first & 0x7f, ...rest])

/** make-ssl-cert (ssl-cert 1.1.2) makes one when Debian is installed: RSA of 2,048 bits, ten years. */
const debian: Form = ({ hostName, installedAt }) => ({
  label: 'machine',
  bits: 2_048,
  hash: 'sha256',
  name: distinguishedName(hostName),
  serial: positive,
  notBefore: installedAt,
  notAfter: installedAt + 3_650 * DAY_MS,
  extensions: (keyId) => [endEntityConstraints(), alternativeNames([hostName]), subjectKeyIdentifier(keyId)],
})

/** An administrator draws up a new one after so many days, before the year of the last one ends. */
const RENEWED_AFTER_DAYS = 335

/**
 * `New-SelfSignedCertificate -DnsName`, as its reference describes it: for one year, and valid ten minutes before it was made.
 * The reference leaves out that ten minutes are added at the end, too.
 */
const windows: Form = ({ names, installedAt }, derive, now) => {
  const made = Math.max(lastRenewal(derive, now), installedAt + HOUR_MS)
  const notAfter = new Date(made + 10 * MINUTE_MS)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + 1)
  return {
    label: `machine/${made}`,
    bits: 2_048,
    hash: 'sha256',
    name: nameOf(['commonName', printableString(names.dnsComputer)]),
    serial: (drawn) => positive(drawn).subarray(0, 16),
    notBefore: made - 10 * MINUTE_MS,
    notAfter: notAfter.getTime(),
    extensions: (keyId) => [
      keyUsage('signatures and keys'),
      extendedKeyUsage('client', 'server'),
      alternativeNames([names.dnsComputer]),
      subjectKeyIdentifier(keyId),
    ],
  }
}

/** To the second; each time at another hour of the day. */
function lastRenewal(derive: Derive, now: number): number {
  const seed = derive('machine/renewed', 8)
  const period = RENEWED_AFTER_DAYS * DAY_MS + (seed.readUInt32BE(0) % DAY_MS)
  const phase = (seed.readUInt32BE(4) * SECOND_MS) % period
  const renewedAt = now - ((((now - phase) % period) + period) % period)
  return Math.floor(renewedAt / SECOND_MS) * SECOND_MS
}

/** Brother's preset one, as scans of its machines show it; each has a key of its own here. */
const brother: Form = () => ({
  label: 'machine',
  bits: 2_048,
  hash: 'sha256',
  name: distinguishedName('Preset Certificate'),
  serial: (drawn) => positive(drawn).subarray(0, 8),
  notBefore: Date.UTC(2000, 0, 1),
  notAfter: Date.UTC(2049, 11, 30, 23, 59, 59),
  extensions: () => [],
})

/**
 * TP-Link's, as scans of its routers show it. A router makes it at its first start, when its clock stands at the day of its
 * firmware: midnight in Beijing and half a minute.
 */
const tpLink: Form = ({ installedAt }, derive) => {
  const midnight = Math.floor(installedAt / DAY_MS) * DAY_MS + 16 * HOUR_MS
  const notBefore = midnight + (25 + (derive('machine/first-start', 1)[0]! % 20)) * SECOND_MS
  return {
    label: 'machine',
    bits: 2_048,
    hash: 'sha256',
    name: nameOf(['country', printableString('CN')], ['commonName', utf8String('tplinkwifi.net')]),
    serial: positive,
    notBefore,
    notAfter: notBefore + 1_825 * DAY_MS,
    extensions: () => [],
  }
}

/** What a device makes of itself at its first start by `openssl req -x509` with a configuration of its own. */
const device: Form = ({ hostName, installedAt }) => ({
  label: 'machine',
  bits: 2_048,
  hash: 'sha256',
  name: distinguishedName(hostName),
  serial: positive,
  notBefore: installedAt,
  notAfter: installedAt + 7_300 * DAY_MS,
  extensions: () => [],
})

const FORMS: Readonly<Record<MachineKind, Form>> = {
  linux: debian,
  nas: debian,
  'phone-system': debian,
  plc: device,
  printer: brother,
  router: tpLink,
  'windows-server': windows,
  'windows-workstation': windows,
}

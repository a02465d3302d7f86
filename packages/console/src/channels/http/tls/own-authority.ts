// The console's own certificate authority, for a token host without a certificate: made once, in `<data>/tokens-ca.pem`.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Fault } from '@rookery/kernel/fault.ts'
import type { World } from '@rookery/kernel/world.ts'
import {
  alternativeNames,
  authorityKeyIdentifier,
  authorityConstraints,
  certificatePem,
  distinguishedName,
  endEntityConstraints,
  extendedKeyUsage,
  keyUsage,
  signCertificate,
  subjectKeyIdentifier,
  type CertificateSigner,
} from '@rookery/kernel/x509-certificate.ts'
import { writeSecretFile } from '../../../secrets/write-secret-file.ts'
import type { ServerCertificate } from './server-certificate.ts'

export interface OwnAuthority {
  readonly x509: X509Certificate
  readonly key: KeyObject
  /** Its file. */
  readonly path: string
}

const DAY_MS = 86_400_000
const AUTHORITY_DAYS = 3_650
/** Some clients refuse the certificate of a server that is valid for more than 398 days. */
export const SERVER_DAYS = 397
/** Clocks of clients go wrong. */
const EARLIER_MS = DAY_MS

type Worldly = Pick<World, 'clock' | 'random'>

/** Reads the authority; undefined where none was made yet. A `conflict` for a file that is not one. */
export function readAuthority(path: string): OwnAuthority | undefined {
  try {
    const pem = readFileSync(path, 'utf8')
    const [x509, key] = [new X509Certificate(pem), createPrivateKey(pem)]
    if (!x509.checkPrivateKey(key)) throw new Error('its key is not that of its certificate')
    return { x509, key, path }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Fault(
      'conflict',
      `${path} is no certificate authority: ${(cause as Error).message}. Restore it from a backup, or move it away: the next start makes another.`,
      { cause },
    )
  }
}

/** Reads the authority, or makes it. */
export function openAuthority(path: string, world: Worldly): OwnAuthority {
  const known = readAuthority(path)
  if (known) return known
  try {
    writeSecretFile(path, newAuthority(world))
  } catch (error) {
    // Another console may have been first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const made = readAuthority(path)
  if (!made) throw new Fault('conflict', `${path} was removed while the console started.`)
  return made
}

/** Certificate and key as PEM. The name does not say what serves here: clients see it. */
function newAuthority({ clock, random }: Worldly): string {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = distinguishedName(`Internal CA ${Buffer.from(random.bytes(4)).toString('hex')}`)
  const certificate = signCertificate(
    {
      ...validity(clock.now(), AUTHORITY_DAYS),
      serial: newSerial(random),
      issuer: name,
      subject: name,
      publicKey: spkiOf(publicKey),
      extensions: [
        authorityConstraints(0),
        keyUsage('certificates'),
        subjectKeyIdentifier(identifierOf(publicKey)),
      ],
    },
    signerOf(privateKey),
  )
  return certificatePem(certificate) + privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** A certificate for these host names and IP addresses, with a key of its own. */
export function issueCertificate(
  { x509, key, path }: OwnAuthority,
  hosts: readonly string[],
  { clock, random }: Worldly,
): ServerCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certificate = signCertificate(
    {
      ...validity(clock.now(), SERVER_DAYS),
      serial: newSerial(random),
      issuer: distinguishedName(commonNameOf(x509)),
      subject: distinguishedName(hosts[0] ?? ''),
      publicKey: spkiOf(publicKey),
      extensions: [
        endEntityConstraints(),
        keyUsage('signatures'),
        extendedKeyUsage('server'),
        alternativeNames(
          hosts.filter((host) => isIP(host) === 0),
          hosts
            .filter((host) => isIP(host) !== 0)
            .map((host) => Uint8Array.from(ipaddr.parse(host).toByteArray())),
        ),
        authorityKeyIdentifier(identifierOf(createPublicKey(key))),
      ],
    },
    signerOf(key),
  )
  const chain = certificatePem(certificate)
  return {
    chain,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    x509: new X509Certificate(certificate),
    issuers: [x509],
    ...endOf(path),
  }
}

/** Where the authority lies, and what is done when it ends. */
export const endOf = (path: string) => ({
  origin: path,
  renewal: `remove ${path}, and the next start makes another`,
})

const validity = (now: number, days: number) => ({
  notBefore: now - EARLIER_MS,
  notAfter: now - EARLIER_MS + days * DAY_MS,
})

/** RFC 5280, 4.1.2.2: positive, and at most 20 bytes. */
const newSerial = (random: World['random']): Buffer => Buffer.concat([Buffer.from([1]), random.bytes(15)])

const identifierOf = (publicKey: KeyObject): Buffer => createHash('sha1').update(spkiOf(publicKey)).digest()

const spkiOf = (publicKey: KeyObject): Buffer => publicKey.export({ type: 'spki', format: 'der' })

const signerOf = (key: KeyObject): CertificateSigner => ({
  keyType: 'ec',
  sign: (body) => sign('sha256', body, key),
})

const commonNameOf = ({ subject }: X509Certificate): string => subject.replace(/^CN=/, '')

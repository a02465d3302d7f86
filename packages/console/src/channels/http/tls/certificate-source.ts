// Which certificates the token host has: those of the operator's files, else one of the console's own authority.
import type { World } from '@rookery/kernel/world.ts'
import type { Config } from '../../../config/config.ts'
import type { DataFolder } from '../../../data-folder.ts'
import { hostPort } from '../../../addresses/host-port.ts'
import { filesVersion } from '../../../watched-files.ts'
import { certificateFiles, readCertificate, TOKEN_HOST, type CertificateFiles } from './certificate-files.ts'
import { issueCertificate, openAuthority, type OwnAuthority, SERVER_DAYS } from './own-authority.ts'
import type { ServerCertificate } from './server-certificate.ts'

export interface CertificateSource {
  /** Another text as soon as `read` may answer other certificates. */
  version(): string
  /** Throws a `bad-input` that says what is wrong. */
  read(): readonly [ServerCertificate, ...ServerCertificate[]]
  /** Why clients refuse what `read` answers, besides its time; undefined where nothing is known. */
  problem?(): string | undefined
}

type Worldly = Pick<World, 'clock' | 'random'>

/** Makes the own authority where the options name no files. */
export function openCertificateSource(
  config: Config,
  folder: Pick<DataFolder, 'tokensAuthority'>,
  world: Worldly,
): CertificateSource {
  const [first, ...others] = certificateFiles(config, TOKEN_HOST)
  return first
    ? filesSource(first, others)
    : authoritySource(openAuthority(folder.tokensAuthority, world), ownHosts(config), world)
}

export const filesSource = (
  first: CertificateFiles,
  others: readonly CertificateFiles[],
): CertificateSource => ({
  version: () => filesVersion([first, ...others].flatMap(({ certificate, key }) => [certificate, key])),
  read: () => [readCertificate(first), ...others.map(readCertificate)],
})

/** The certificate of the own authority is made anew 97 days before it ends. */
const REISSUE_MS = (SERVER_DAYS - 97) * 86_400_000

const authoritySource = (
  authority: OwnAuthority,
  hosts: readonly string[],
  world: Worldly,
): CertificateSource => {
  const startedAt = world.clock.now()
  return {
    version: () => String(Math.floor((world.clock.now() - startedAt) / REISSUE_MS)),
    read: () => [issueCertificate(authority, hosts, world)],
  }
}

const EVERY_ADDRESS = ['0.0.0.0', '::']

/** What artefacts name, and this machine: the names of a certificate of the own authority. */
export function ownHosts({
  ROOKERY_TOKENS_TLS_URL,
  ROOKERY_TOKENS_URL,
  ROOKERY_TOKENS_DOMAIN,
  ROOKERY_TOKENS_TLS_LISTEN,
}: Config): string[] {
  const named = [ROOKERY_TOKENS_TLS_URL, ROOKERY_TOKENS_URL].filter((url) => url !== '').map(hostOf)
  const domain = ROOKERY_TOKENS_DOMAIN.toLowerCase()
  const { host } = hostPort(ROOKERY_TOKENS_TLS_LISTEN)
  const listening = EVERY_ADDRESS.includes(host) ? [] : [host]
  return [...new Set([...named, domain, `*.${domain}`, ...listening, 'localhost', '127.0.0.1', '::1'])]
}

/** An IPv6 address without its brackets. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '')

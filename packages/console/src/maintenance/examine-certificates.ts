// What `rookery doctor` examines of the certificates of the token host and of the console.
import { Fault } from '@rookery/kernel/fault.ts'
import { acmeOptions } from '../channels/acme/acme-options.ts'
import { dueAt, failureText, problemOf, readStored } from '../channels/acme/stored-certificate.ts'
import {
  certificateFiles,
  exposedMode,
  readCertificate,
  TOKEN_HOST,
  type CertificateFiles,
} from '../channels/http/tls/certificate-files.ts'
import { hostOf } from '../channels/http/tls/certificate-source.ts'
import { endOf, readAuthority } from '../channels/http/tls/own-authority.ts'
import {
  dayOf,
  holderOf,
  isFor,
  namesOf,
  timeProblems,
  type ServerCertificate,
} from '../channels/http/tls/server-certificate.ts'
import type { Config } from '../config/config.ts'
import type { DataFolder } from '../data-folder.ts'
import { hostPort } from '../addresses/host-port.ts'
import { portOf } from '../addresses/listening.ts'
import type { OptionName } from '../config/options.ts'
import { consoleCertificateFiles } from '../parts/console-https.ts'
import type { OpenContext } from '../open-context.ts'
import type { Finding } from './finding.ts'

/** Findings on the certificates that the options name, else on the own authority. */
export function examineCertificates(
  folder: Pick<DataFolder, 'tokensAuthority'>,
  config: Config,
  now: number,
): Finding[] {
  try {
    // What is ordered lies in the database.
    if (acmeOptions(config)) return []
    const files = certificateFiles(config, TOKEN_HOST)
    return files.length > 0
      ? examineFiles(files, 'ROOKERY_TOKENS_TLS_URL', config.ROOKERY_TOKENS_TLS_URL, now)
      : [examineAuthority(folder.tokensAuthority, now)]
  } catch (error) {
    return [broken(error)]
  }
}

/** Findings on the certificates of the console; none where it has no listener by HTTPS. */
export function examineConsoleCertificates(config: Config, now: number): Finding[] {
  const { ROOKERY_TLS_LISTEN: listen, ROOKERY_PUBLIC_URL: url } = config
  try {
    const files = consoleCertificateFiles(config)
    // A proxy in front of the console has a certificate of its own.
    const isOwn = /^https:/i.test(url) && portOf(url) === hostPort(listen).port
    return examineFiles(files, 'ROOKERY_PUBLIC_URL', isOwn ? url : '', now)
  } catch (error) {
    return [broken(error)]
  }
}

/** Findings on the certificate that the options have ordered by ACME. */
export async function examineOrdered(
  { reader, vault }: OpenContext,
  config: Config,
  now: number,
): Promise<Finding[]> {
  const options = acmeOptions(config)
  if (!options) return []
  const stored = await readStored(reader, vault, options.domain)
  const { certificate } = stored
  const problem = problemOf(stored, options, now)
  const failure = failureText(stored)
  const sentences = [
    ...(certificate
      ? [
          `${certificate.origin} gave one for ${options.names.join(' and ')} until ${dayOf(certificate.x509.validToDate)}; the next one is ordered on ${dayOf(new Date(dueAt(stored, options)))}`,
          ...timeProblems(certificate, now),
        ]
      : []),
    ...(problem === undefined ? [] : [problem]),
    ...(failure === undefined || problem?.includes(failure) ? [] : [failure]),
  ]
  const isWell = problem === undefined && sentences.length === (failure === undefined ? 1 : 2)
  return [{ ok: isWell, about, text: sentences.join('. ').replaceAll('..', '.') }]
}

const about = 'certificate'

const broken = (error: unknown): Finding => {
  if (error instanceof Fault) return { ok: false, about, text: error.message }
  throw error
}

/** `url` is what the option names; empty for nothing. */
function examineFiles(
  files: readonly CertificateFiles[],
  option: OptionName,
  url: string,
  now: number,
): Finding[] {
  const certificates: ServerCertificate[] = []
  const findings = files.map((pair): Finding => {
    try {
      const certificate = readCertificate(pair)
      certificates.push(certificate)
      return examineOne(certificate, pair, now)
    } catch (error) {
      return broken(error)
    }
  })
  if (url === '' || certificates.some((it) => isFor(it, hostOf(url)))) return findings
  const text = `No certificate is for ${hostOf(url)}, which ${option} names: clients refuse it.`
  return [...findings, { ok: false, about, text }]
}

function examineOne(certificate: ServerCertificate, files: CertificateFiles, now: number): Finding {
  const { x509, origin } = certificate
  const mode = exposedMode(files)
  const problems = [
    ...timeProblems(certificate, now),
    ...(mode === undefined
      ? []
      : [`${files.key} has mode ${mode}: everybody may read the key: chmod o= ${files.key}.`]),
  ]
  const text = [`${origin} is for ${namesOf(x509)} until ${dayOf(x509.validToDate)}`, ...problems].join('. ')
  return { ok: problems.length === 0, about, text }
}

function examineAuthority(path: string, now: number): Finding {
  const authority = readAuthority(path)
  if (!authority)
    return {
      ok: true,
      about,
      text: `none is given for the token host; the next start makes an authority in ${path}`,
    }
  const { x509 } = authority
  const problems = timeProblems({ x509, issuers: [], ...endOf(path) }, now)
  const text = `the token host has one of its own authority, ${holderOf(x509)} in ${path}, until ${dayOf(x509.validToDate)}: clients that do not trust that authority refuse it`
  return { ok: problems.length === 0, about, text: [text, ...problems].join('. ') }
}

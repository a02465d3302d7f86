// Metadata of an identity provider (saml-metadata-2.0-os): its name, and the certificates with which it signs.
import { X509Certificate, type KeyObject } from 'node:crypto'
import { type Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import type { TokenSettings } from '../settings.ts'
import { attributeOf, childrenOf, onlyChild, textOf } from '../xml/find.ts'
import { parseXml, XmlError, type XmlElement } from '../xml/parse.ts'
import { documentOf } from './document.ts'
import { METADATA, XML_SIGNATURE } from './names.ts'

export interface ProviderMetadata {
  readonly entityId: string
  /** In DER, as base64. */
  readonly certificates: readonly string[]
}

/** What of a token's settings judges assertions. */
export interface AssertionRules {
  readonly metadata: ProviderMetadata | undefined
  /** Whether assertions that the metadata does not prove are quiet. */
  readonly isValidated: boolean
}

export const MAX_METADATA_BYTES = 512 * 1024
const MAX_ENTITY_ID_CHARACTERS = 1_024
const MAX_CERTIFICATES = 16

/** Reads what was uploaded; a `bad-input` says what is wrong with it. */
export function readMetadata(bytes: Uint8Array): ProviderMetadata {
  if (bytes.byteLength > MAX_METADATA_BYTES)
    throw refusal(`must be a file of at most ${MAX_METADATA_BYTES} bytes, not ${bytes.byteLength}`)
  const document = documentOf(bytes)
  if ('problem' in document) throw refusal(`must be metadata of SAML 2.0, but ${document.problem}`)
  const entity = identityProviderIn(parsed(document.text))
  const entityId = attributeOf(entity, 'entityID')?.trim() ?? ''
  if (entityId === '' || entityId.length > MAX_ENTITY_ID_CHARACTERS)
    throw refusal(`must name the provider by an entityID of 1 to ${MAX_ENTITY_ID_CHARACTERS} characters`)
  const certificates = [...new Set(signingCertificates(entity))]
  if (certificates.length === 0 || certificates.length > MAX_CERTIFICATES)
    throw refusal(
      `must have 1 to ${MAX_CERTIFICATES} certificates (KeyDescriptor) for signing, not ${certificates.length}`,
    )
  return { entityId, certificates }
}

function parsed(text: string): XmlElement {
  try {
    return parseXml(text)
  } catch (error) {
    if (error instanceof XmlError) throw refusal(`must be XML, but there is ${error.message}`)
    throw error
  }
}

/** The one entity that has the role, alone or in a list of entities. */
function identityProviderIn(root: XmlElement): XmlElement {
  const entities =
    root.localName === 'EntitiesDescriptor' && root.namespace === METADATA
      ? childrenOf(root, METADATA, 'EntityDescriptor')
      : [root].filter((it) => it.localName === 'EntityDescriptor' && it.namespace === METADATA)
  const [provider, ...others] = entities.filter((it) => onlyChild(it, METADATA, 'IDPSSODescriptor'))
  if (provider && others.length === 0) return provider
  throw refusal(
    `must be an EntityDescriptor of one identity provider (IDPSSODescriptor); ${entities.length} entities are in it, ${provider ? others.length + 1 : 0} of them identity providers`,
  )
}

function signingCertificates(entity: XmlElement): string[] {
  const role = onlyChild(entity, METADATA, 'IDPSSODescriptor') ?? entity
  return childrenOf(role, METADATA, 'KeyDescriptor')
    .filter((key) => (attributeOf(key, 'use') ?? 'signing') === 'signing')
    .flatMap((key) => childrenOf(key, XML_SIGNATURE, 'KeyInfo'))
    .flatMap((info) => childrenOf(info, XML_SIGNATURE, 'X509Data'))
    .flatMap((data) => childrenOf(data, XML_SIGNATURE, 'X509Certificate'))
    .map((certificate, index) => derOf(textOf(certificate), index + 1))
}

function derOf(text: string, number: number): string {
  const der = Buffer.from(text, 'base64')
  try {
    keyOf(der)
  } catch {
    throw refusal(`must have certificates in X.509; number ${number} for signing is none`)
  }
  return der.toString('base64')
}

const keyOf = (der: Buffer): KeyObject => new X509Certificate(der).publicKey

const keysRead = new WeakMap<ProviderMetadata, readonly KeyObject[]>()

/** The keys with which the provider signs. */
export function keysOf(metadata: ProviderMetadata): readonly KeyObject[] {
  const known = keysRead.get(metadata)
  if (known) return known
  const keys = metadata.certificates.map((it) => keyOf(Buffer.from(it, 'base64')))
  keysRead.set(metadata, keys)
  return keys
}

/** Without metadata nothing is validated. */
export function assertionRulesOf({ metadata, is_validated }: TokenSettings): AssertionRules {
  const known = isMetadata(metadata) ? metadata : undefined
  return { metadata: known, isValidated: known !== undefined && is_validated === true }
}

/** As settings of the token. */
export const metadataSetting = (metadata: ProviderMetadata | undefined): TokenSettings => ({ metadata })
export const validationSetting = (isValidated: boolean): TokenSettings => ({ is_validated: isValidated })

const isMetadata = (value: unknown): value is ProviderMetadata =>
  typeof value === 'object' && value !== null && 'entityId' in value && 'certificates' in value

const refusal = (reason: string): Fault => invalidParameter('metadata', reason)

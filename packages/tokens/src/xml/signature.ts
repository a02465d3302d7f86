// Enveloped XML signatures as SAML allows them (saml-core-2.0-os, 5.4): one reference, to the element around the signature.
import { byWord } from '@rookery/kernel/by-word.ts'
import { createHash, timingSafeEqual, verify, type KeyObject } from 'node:crypto'
import { canonicalXml } from './canonical.ts'
import { attributeOf, childrenOf, everyElement, onlyChild, textOf } from './find.ts'
import type { XmlDocument, XmlElement } from './parse.ts'

const DS = 'http://www.w3.org/2000/09/xmldsig#'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const ENVELOPED = `${DS}enveloped-signature`
const MORE = 'http://www.w3.org/2001/04/xmldsig-more#'
const ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#'

/** Of a list of inclusive namespaces: each is looked for in each element. */
const MAX_PREFIXES = 16
/** Of `SignedInfo`, which has ten. */
const MAX_SIGNED_INFO_ELEMENTS = 32

/** Without SHA-1, which can be forged. */
const DIGESTS = byWord<string>({
  [`${ENCRYPTION}sha256`]: 'sha256',
  [`${MORE}sha384`]: 'sha384',
  [`${ENCRYPTION}sha512`]: 'sha512',
})

const METHODS = byWord<{ readonly hash: string; readonly key: string }>({
  [`${MORE}rsa-sha256`]: { hash: 'sha256', key: 'rsa' },
  [`${MORE}rsa-sha384`]: { hash: 'sha384', key: 'rsa' },
  [`${MORE}rsa-sha512`]: { hash: 'sha512', key: 'rsa' },
  [`${MORE}ecdsa-sha256`]: { hash: 'sha256', key: 'ec' },
  [`${MORE}ecdsa-sha384`]: { hash: 'sha384', key: 'ec' },
  [`${MORE}ecdsa-sha512`]: { hash: 'sha512', key: 'ec' },
})

/** Why it is not signed by one of the keys; undefined if it is. Only what stands inside the element can be believed then. */
export function signatureProblem(
  { ids }: Pick<XmlDocument, 'ids'>,
  element: XmlElement,
  keys: readonly KeyObject[],
): string | undefined {
  const signatures = childrenOf(element, DS, 'Signature')
  const [signature] = signatures
  if (!signature) return 'it is not signed'
  const signedInfo = onlyChild(signature, DS, 'SignedInfo')
  const reference = onlyChild(signedInfo, DS, 'Reference')
  if (signatures.length > 1 || !signedInfo || !reference) return 'it has more than one signature'
  if (!refersTo(ids, element, reference)) return 'its signature is of another element'
  const content = referenceContent(reference)
  if (typeof content === 'string') return content
  // The value comes first: who has no signature of ours cannot make a whole document be written in its canonical form.
  return valueProblem(signature, signedInfo, keys) ?? digestProblem(element, signature, reference, content)
}

/** The reference names the element by its id, which no other has. */
function refersTo(ids: ReadonlyMap<string, number>, element: XmlElement, reference: XmlElement): boolean {
  const id = attributeOf(element, 'ID')
  if (id === undefined || id === '' || attributeOf(reference, 'URI') !== `#${id}`) return false
  return ids.get(id) === 1
}

/** How the content of a reference is digested. */
interface ReferenceContent {
  readonly digest: string
  readonly canonical: XmlElement | undefined
}

/** Why it is digested in another way than SAML allows, or the way. */
function referenceContent(reference: XmlElement): ReferenceContent | string {
  const transforms = childrenOf(onlyChild(reference, DS, 'Transforms') ?? reference, DS, 'Transform')
  const [enveloped, canonical, ...more] = transforms
  const isUsual =
    attributeOf(enveloped, 'Algorithm') === ENVELOPED && isExclusive(canonical) && more.length === 0
  if (!isUsual) return 'its signature has transforms other than enveloped-signature and xml-exc-c14n'
  const digest = DIGESTS[attributeOf(onlyChild(reference, DS, 'DigestMethod'), 'Algorithm') ?? '']
  return digest === undefined ? 'its digest is not SHA-256, SHA-384 or SHA-512' : { digest, canonical }
}

function digestProblem(
  element: XmlElement,
  signature: XmlElement,
  reference: XmlElement,
  { digest, canonical }: ReferenceContent,
): string | undefined {
  const content = canonicalXml(element, { without: signature, inclusive: inclusiveOf(canonical) })
  const found = createHash(digest).update(content).digest()
  const signed = Buffer.from(textOf(onlyChild(reference, DS, 'DigestValue')), 'base64')
  const isEqual = found.length === signed.length && timingSafeEqual(found, signed)
  return isEqual ? undefined : 'it was altered after it was signed'
}

function valueProblem(
  signature: XmlElement,
  signedInfo: XmlElement,
  keys: readonly KeyObject[],
): string | undefined {
  if (everyElement(signedInfo).drop(MAX_SIGNED_INFO_ELEMENTS).next().done !== true)
    return `its signature has more than ${MAX_SIGNED_INFO_ELEMENTS} elements`
  const canonical = onlyChild(signedInfo, DS, 'CanonicalizationMethod')
  const method = METHODS[attributeOf(onlyChild(signedInfo, DS, 'SignatureMethod'), 'Algorithm') ?? '']
  if (!isExclusive(canonical) || method === undefined)
    return 'its signature is not RSA or ECDSA with SHA-256, SHA-384 or SHA-512 over xml-exc-c14n'
  const content = Buffer.from(canonicalXml(signedInfo, { inclusive: inclusiveOf(canonical) }))
  const value = Buffer.from(textOf(onlyChild(signature, DS, 'SignatureValue')), 'base64')
  const isSigned = keys
    .filter((key) => key.asymmetricKeyType === method.key)
    .some((key) => verify(method.hash, content, { key, dsaEncoding: 'ieee-p1363' }, value))
  return isSigned ? undefined : 'it is not signed with a key of the metadata'
}

/** Comments of the signed element are never part of a reference by id, so both forms are the same. */
const isExclusive = (method: XmlElement | undefined): boolean =>
  [EXCLUSIVE, `${EXCLUSIVE}WithComments`].includes(attributeOf(method, 'Algorithm') ?? '') &&
  inclusiveOf(method).length <= MAX_PREFIXES

function inclusiveOf(method: XmlElement | undefined): readonly string[] {
  const list = attributeOf(onlyChild(method, EXCLUSIVE, 'InclusiveNamespaces'), 'PrefixList') ?? ''
  return list
    .split(/\s+/)
    .filter(Boolean)
    .map((prefix) => (prefix === '#default' ? '' : prefix))
}

// An identity provider of a test's own: it signs the golden response with its own key, changed as a test wants it.
import { createHash, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { makeAppCertificate } from '../../providers/entra/certificate.ts'
import { canonicalXml } from '../../xml/canonical.ts'
import { onlyChild } from '../../xml/find.ts'
import { parseXml, type XmlElement } from '../../xml/parse.ts'
import { ASSERTION, XML_SIGNATURE } from '../names.ts'

const golden = (name: string): string =>
  readFileSync(new URL(`../golden/${name}.xml`, import.meta.url), 'utf8')
const SIGNED = golden('signed-assertion')
const [WHOLE = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(SIGNED) ?? []
const [SIGNATURE = ''] = /<ds:Signature .*<\/ds:Signature>/s.exec(SIGNED) ?? []

export interface TestIdentityProvider {
  readonly metadata: string
  /** A response whose assertion was changed before it was signed. */
  respond(change: (assertion: string) => string): string
}

export async function openIdentityProvider(): Promise<TestIdentityProvider> {
  const { der, pem } = await makeAppCertificate(Date.now(), Buffer.from([1]))
  return {
    metadata: golden('provider-metadata').replace(/(?<=X509Certificate>)[^<]*/, der.toString('base64')),
    respond(change) {
      const changed = change(WHOLE.replace(SIGNATURE, ''))
      const response = (signature: string): string =>
        SIGNED.replace(WHOLE, () => changed.replace('</saml:Issuer>', `</saml:Issuer>${signature}`))
      const digest = createHash('sha256').update(
        canonicalXml(assertionIn(response('')), { inclusive: ['xs'] }),
      )
      const digested = SIGNATURE.replace(/(?<=<ds:DigestValue>)[^<]*/, digest.digest('base64'))
      const signature = childOf(assertionIn(response(digested)), XML_SIGNATURE, 'Signature')
      const signedInfo = Buffer.from(canonicalXml(childOf(signature, XML_SIGNATURE, 'SignedInfo')))
      const value = sign('sha256', signedInfo, pem).toString('base64')
      return response(digested.replace(/(?<=<ds:SignatureValue>)[^<]*/, value))
    },
  }
}

const assertionIn = (response: string): XmlElement => childOf(parseXml(response), ASSERTION, 'Assertion')

function childOf(parent: XmlElement, namespace: string, name: string): XmlElement {
  const child = onlyChild(parent, namespace, name)
  if (!child) throw new Error(`There is no ${name}.`)
  return child
}

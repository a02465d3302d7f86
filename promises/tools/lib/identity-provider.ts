// An identity provider of the proof's own: its key is made by openssl, its assertions are signed by xmlsec1.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './command.ts'

const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'

export interface IdentityProvider {
  readonly entityId: string
  /** Path of its metadata. */
  readonly metadata: string
  /** A signed response of SAML for the address; `minutes` says when it is made, from now. */
  assertionFor(acsUrl: string, identity: string, minutes?: number): Promise<string>
}

export async function identityProvider(folder: string): Promise<IdentityProvider> {
  const [key, certificate, metadata] = ['idp-key.pem', 'idp.pem', 'idp.xml'].map((it) => join(folder, it))
  const entityId = 'https://idp.home.example/saml'
  const made = await run('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', '/CN=idp.home.example'],
    ...['-keyout', key ?? '', '-out', certificate ?? ''],
  ])
  assert.equal(made.code, 0, made.stderr)
  const pem = readFileSync(certificate ?? '', 'utf8').replace(/-----[A-Z ]+-----/g, '')
  writeFileSync(
    metadata ?? '',
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><IDPSSODescriptor protocolSupportEnumeration="${PROTOCOL}"><KeyDescriptor use="signing"><KeyInfo xmlns="${SIGNATURE}"><X509Data><X509Certificate>${pem}</X509Certificate></X509Data></KeyInfo></KeyDescriptor></IDPSSODescriptor></EntityDescriptor>`,
  )
  let count = 0
  return {
    entityId,
    metadata: metadata ?? '',
    async assertionFor(acsUrl, identity, minutes = 0) {
      const id = `_a${++count}`
      const [template, signed] = [join(folder, `${id}.template`), join(folder, `${id}.xml`)]
      writeFileSync(template, unsigned({ id, entityId, acsUrl, identity, at: Date.now() + minutes * 60_000 }))
      const { code, stderr } = await run('xmlsec1', [
        ...['--sign', '--privkey-pem', `${key},${certificate}`, '--id-attr:ID', `${ASSERTION}:Assertion`],
        ...['--output', signed, template],
      ])
      assert.equal(code, 0, stderr)
      return readFileSync(signed, 'utf8')
    },
  }
}

interface Facts {
  readonly id: string
  readonly entityId: string
  readonly acsUrl: string
  readonly identity: string
  readonly at: number
}

/** What xmlsec1 fills in is empty. */
function unsigned({ id, entityId, acsUrl, identity, at }: Facts): string {
  const time = (minutes: number): string => new Date(at + minutes * 60_000).toISOString()
  return `<?xml version="1.0" encoding="UTF-8"?>
<samlp:Response xmlns:samlp="${PROTOCOL}" xmlns:saml="${ASSERTION}" ID="_r${id}" Version="2.0" IssueInstant="${time(0)}" Destination="${acsUrl}">
  <saml:Issuer>${entityId}</saml:Issuer>
  <samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>
  <saml:Assertion ID="${id}" Version="2.0" IssueInstant="${time(0)}">
    <saml:Issuer>${entityId}</saml:Issuer>
    <ds:Signature xmlns:ds="${SIGNATURE}"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${EXCLUSIVE}"/><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/><ds:Reference URI="#${id}"><ds:Transforms><ds:Transform Algorithm="${SIGNATURE}enveloped-signature"/><ds:Transform Algorithm="${EXCLUSIVE}"/></ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue/></ds:Reference></ds:SignedInfo><ds:SignatureValue/><ds:KeyInfo><ds:X509Data/></ds:KeyInfo></ds:Signature>
    <saml:Subject><saml:NameID>${identity}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${time(5)}" Recipient="${acsUrl}"/></saml:SubjectConfirmation></saml:Subject>
    <saml:Conditions NotBefore="${time(-5)}" NotOnOrAfter="${time(5)}"><saml:AudienceRestriction><saml:Audience>${acsUrl}</saml:Audience></saml:AudienceRestriction></saml:Conditions>
    <saml:AuthnStatement AuthnInstant="${time(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>
  </saml:Assertion>
</samlp:Response>
`
}

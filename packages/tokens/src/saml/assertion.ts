// What an assertion says (saml-core-2.0-os): who issued it, of whom, until when.
import { attributeOf, childrenOf, onlyChild, textOf } from '../xml/find.ts'
import type { XmlElement } from '../xml/parse.ts'
import { ASSERTION, PROTOCOL } from './names.ts'

export interface Assertion {
  readonly id: string
  readonly issuer: string
  /** The name of the subject, mostly an e-mail address. */
  readonly identity: string
  /** Name to values, joined by commas. */
  readonly attributes: Readonly<Record<string, string>>
}

const MAX_ATTRIBUTES = 32
/** Clocks of the two sides differ by no more. */
const SKEW_MS = 180_000

/** The only assertion directly inside a response; undefined for anything else. */
export function assertionIn(root: XmlElement): XmlElement | undefined {
  const isResponse = root.namespace === PROTOCOL && root.localName === 'Response'
  return isResponse ? onlyChild(root, ASSERTION, 'Assertion') : undefined
}

export function readAssertion(element: XmlElement): Assertion {
  const statements = childrenOf(element, ASSERTION, 'AttributeStatement')
  const attributes = statements.flatMap((it) => childrenOf(it, ASSERTION, 'Attribute'))
  return {
    id: attributeOf(element, 'ID') ?? '',
    issuer: textOf(onlyChild(element, ASSERTION, 'Issuer')).trim(),
    identity: textOf(onlyChild(onlyChild(element, ASSERTION, 'Subject'), ASSERTION, 'NameID')).trim(),
    attributes: Object.fromEntries(
      attributes.slice(0, MAX_ATTRIBUTES).map((it) => {
        const values = childrenOf(it, ASSERTION, 'AttributeValue').map((value) => textOf(value).trim())
        return [attributeOf(it, 'Name') ?? '', values.join(', ')]
      }),
    ),
  }
}

/** Why it does not hold at this time; undefined if it does. */
export function timeProblem(element: XmlElement, at: number): string | undefined {
  const subject = onlyChild(element, ASSERTION, 'Subject')
  const confirmations = subject ? childrenOf(subject, ASSERTION, 'SubjectConfirmation') : []
  const bounded = [
    ...childrenOf(element, ASSERTION, 'Conditions'),
    ...confirmations.flatMap((it) => childrenOf(it, ASSERTION, 'SubjectConfirmationData')),
  ]
  if (!bounded.some((it) => attributeOf(it, 'NotOnOrAfter') !== undefined)) return 'it has no time'
  for (const it of bounded) {
    const from = instantOf(attributeOf(it, 'NotBefore'))
    const until = instantOf(attributeOf(it, 'NotOnOrAfter'))
    if (Number.isNaN(from) || Number.isNaN(until)) return 'its time cannot be read'
    if (from !== undefined && at + SKEW_MS < from) return 'its time has not come'
    if (until !== undefined && at - SKEW_MS >= until) return 'it has expired'
  }
  return undefined
}

/**
 * Why it is for another app than the one whose address was asked, which is also its entity id; undefined if it is for that app
 * (saml-core-2.0-os, 2.5.1.4; the profile for browsers wants an audience, saml-profiles-2.0-os, 4.1.4.2). A proxy may have changed
 * scheme and host: the path has the id of the token.
 */
export function audienceProblem(element: XmlElement, path: string): string | undefined {
  const [pathname] = path.split('?')
  const isAsked = (it: XmlElement): boolean => {
    const audience = textOf(it).trim()
    return URL.canParse(audience) && new URL(audience).pathname === pathname
  }
  const restrictions = childrenOf(element, ASSERTION, 'Conditions').flatMap((it) =>
    childrenOf(it, ASSERTION, 'AudienceRestriction'),
  )
  if (restrictions.length === 0) return 'it names no audience'
  const isOurs = restrictions.every((it) => childrenOf(it, ASSERTION, 'Audience').some(isAsked))
  return isOurs ? undefined : 'it is for another audience'
}

/** Undefined without a value, NaN for a wrong one. SAML writes times in UTC (saml-core-2.0-os, 1.3.3). */
const instantOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : /^[\d-]+T[\d:.]+Z$/.test(text) ? Date.parse(text) : NaN

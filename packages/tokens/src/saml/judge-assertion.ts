// Whether the metadata of its provider proves a posted assertion.
import type { HttpVisit } from '../channels/http/visit.ts'
import { readXml, XmlError, type XmlDocument, type XmlSize } from '../xml/parse.ts'
import { signatureProblem } from '../xml/signature.ts'
import { assertionIn, audienceProblem, readAssertion, timeProblem, type Assertion } from './assertion.ts'
import { keysOf, type AssertionRules, type ProviderMetadata } from './metadata.ts'
import { postedResponse, type PostedResponse } from './posted-response.ts'

export interface JudgedAssertion {
  readonly posted: PostedResponse['type']
  /** As far as it can be read; nothing of it is true unless it is validated. */
  readonly assertion: Assertion | undefined
  /** Why the metadata does not prove it, as the end of a sentence; undefined if it does, or if there is no metadata. */
  readonly problem: string | undefined
  readonly isProven: boolean
  /** It would be proven, were it for this app: somebody has it who should not. */
  readonly isForOther?: boolean
}

/** Of a response: those of providers have some thirty elements, and a few for each attribute. */
const MOST: XmlSize = { elements: 500, depth: 24 }

const UNREAD = {
  none: 'there is none',
  'too-long': 'its body is longer than 64 KiB',
  unread: 'its body was not read, since too many came at once',
} as const

export function judgeAssertion(visit: HttpVisit, { metadata }: AssertionRules, at: number): JudgedAssertion {
  const posted = postedResponse(visit)
  const {
    assertion,
    problem,
    isForOther = false,
  } = posted.type === 'response'
    ? judged(posted.text, metadata, { path: visit.path, at })
    : {
        assertion: undefined,
        isForOther: false,
        problem: posted.type === 'refused' ? posted.problem : UNREAD[posted.type],
      }
  return {
    posted: posted.type,
    assertion,
    problem: metadata === undefined ? undefined : problem,
    isProven: metadata !== undefined && problem === undefined,
    isForOther,
  }
}

function judged(
  text: string,
  metadata: ProviderMetadata | undefined,
  { path, at }: { readonly path: string; readonly at: number },
): Pick<JudgedAssertion, 'assertion' | 'problem' | 'isForOther'> {
  let document: XmlDocument
  try {
    document = readXml(text, MOST)
  } catch (error) {
    if (error instanceof XmlError) return { assertion: undefined, problem: `there is ${error.message}` }
    throw error
  }
  const { root } = document
  const element = assertionIn(root)
  if (!element) return { assertion: undefined, problem: 'it is no response with one assertion in the clear' }
  const keys = metadata ? keysOf(metadata) : []
  // Providers sign the response, the assertion, or both: either proves the assertion.
  const unsigned = metadata && signatureProblem(document, element, keys)
  const isUnsigned = unsigned !== undefined && signatureProblem(document, root, keys) !== undefined
  const assertion = readAssertion(element)
  if (!metadata) return { assertion, problem: undefined }
  const elsewhere = audienceProblem(element, path)
  const problem =
    (isUnsigned ? unsigned : undefined) ??
    (assertion.issuer === metadata.entityId ? undefined : 'its issuer is not that of the metadata') ??
    timeProblem(element, at) ??
    elsewhere
  return { assertion, problem, isForOther: elsewhere !== undefined && problem === elsewhere }
}

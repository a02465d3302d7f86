// Calls of the services of AWS that take a form and answer XML: IAM and STS ("Making query requests", IAM user guide).
import type { Clock, Outbound } from '@rookery/kernel/world.ts'
import { everyElement, textOf } from '../../xml/find.ts'
import { parseXml, XmlError, type XmlElement } from '../../xml/parse.ts'
import { signedHeaders, type AccessKey } from '../../sigv4/sign.ts'

export interface AwsAccount {
  readonly key: AccessKey
  /** Where every service is called instead of its own address; empty for AWS itself. */
  readonly endpoint: string
}

export interface AwsDeps {
  readonly outbound: Outbound
  readonly clock: Clock
}

/** AWS refused the call. Its code is of the list of the service, such as `NoSuchEntity`. */
export class AwsRefusal extends Error {
  readonly code: string
  readonly status: number

  constructor(action: string, status: number, code: string, message: string) {
    super(`AWS refused ${action} with ${status} ${code}: ${message}`)
    this.name = 'AwsRefusal'
    this.code = code
    this.status = status
  }
}

type Service = 'iam' | 'sts'

const VERSIONS: Readonly<Record<Service, string>> = { iam: '2010-05-08', sts: '2011-06-15' }
/** IAM is signed for this region wherever it is called. */
const REGION = 'us-east-1'
const TIMEOUT_MS = 15_000
/** A page of a list has at most 100 entries of about 1 KiB. */
const MAX_ANSWER_BYTES = 256 * 1024

/** One service of an account. The answer is the element `<action>Result`, or the root where there is no result. */
export type AwsCall = (action: string, parameters?: Readonly<Record<string, string>>) => Promise<XmlElement>

/** Throws an `AwsRefusal`, or the `unavailable` of a connection that failed. */
export function awsService({ outbound, clock }: AwsDeps, account: AwsAccount, service: Service): AwsCall {
  const url = account.endpoint === '' ? `https://${service}.amazonaws.com/` : account.endpoint
  return async (action, parameters = {}) => {
    const body = new URLSearchParams({ Action: action, Version: VERSIONS[service], ...parameters }).toString()
    const request = {
      url,
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body,
    } as const
    const answer = await outbound.send({
      ...request,
      headers: signedHeaders(request, account.key, { region: REGION, service, at: clock.now() }),
      timeoutMs: TIMEOUT_MS,
      mostBytes: MAX_ANSWER_BYTES,
    })
    const root = parsed(answer.body)
    if (answer.status !== 200 || !root) {
      const code = shown(root, 'Code') || 'an answer that is no XML'
      throw new AwsRefusal(action, answer.status, code, shown(root, 'Message'))
    }
    return findElement(root, `${action}Result`) ?? root
  }
}

/** The first element of this name, the given one or one inside it. */
export function findElement(root: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const element of root ? everyElement(root) : []) if (element.localName === name) return element
  return undefined
}

/** The text of the first element of this name; empty without one. */
export const textIn = (root: XmlElement | undefined, name: string): string => textOf(findElement(root, name))

const shown = (root: XmlElement | undefined, name: string): string => textIn(root, name).slice(0, 300)

function parsed(body: string): XmlElement | undefined {
  try {
    return parseXml(body)
  } catch (error) {
    if (error instanceof XmlError) return undefined
    throw error
  }
}

// Calls of the services of AWS that take a form and answer XML: IAM and STS ("Making query requests", IAM user guide).
import { Fault } from '@rookery/kernel/fault.ts'
import { callProvider, reasonText } from '../../provider-call.ts'
import type { ProviderWorld } from '../../provider.ts'
import { everyElement, textOf } from '../../xml/find.ts'
import { parseXml, XmlError, type XmlElement } from '../../xml/parse.ts'
import { signedHeaders, type AccessKey } from '../../sigv4/sign.ts'

export interface AwsAccount {
  readonly key: AccessKey
  /** Where every service is called instead of its own address; empty for AWS itself. */
  readonly endpoint: string
}

export type AwsDeps = Pick<ProviderWorld, 'clock' | 'outbound'>

/** AWS refused the call. */
export class AwsRefusal extends Fault {
  /** Such as `NoSuchEntity`. */
  readonly awsCode: string

  constructor(action: string, status: number, code: string, message: string) {
    super('unavailable', `AWS refused ${action} with ${status} ${code}: ${reasonText(message)}`)
    this.name = 'AwsRefusal'
    this.awsCode = code
  }
}

type Service = 'iam' | 'sts'

const VERSIONS: Readonly<Record<Service, string>> = { iam: '2010-05-08', sts: '2011-06-15' }
/** IAM is signed for this region wherever it is called. */
const REGION = 'us-east-1'

/** One service of an account. The answer is the element `<action>Result`, or the root where there is no result. */
export type AwsCall = (action: string, parameters?: Readonly<Record<string, string>>) => Promise<XmlElement>

/** Throws an `AwsRefusal`, or the `unavailable` of a service that is away or wants fewer calls. */
export function awsService(deps: AwsDeps, account: AwsAccount, service: Service): AwsCall {
  const url = account.endpoint === '' ? `https://${service}.amazonaws.com/` : account.endpoint
  return async (action, parameters = {}) => {
    const body = new URLSearchParams({ Action: action, Version: VERSIONS[service], ...parameters }).toString()
    const request = {
      url,
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body,
    } as const
    const headers = signedHeaders(request, account.key, { region: REGION, service, at: deps.clock.now() })
    const answer = await callProvider(deps, 'AWS', { ...request, headers })
    const root = parsed(answer.text)
    if (answer.status !== 200 || !root) {
      const code = textIn(root, 'Code').slice(0, 64) || 'an answer that is no XML'
      throw new AwsRefusal(action, answer.status, code, textIn(root, 'Message'))
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

function parsed(body: string): XmlElement | undefined {
  try {
    return parseXml(body)
  } catch (error) {
    if (error instanceof XmlError) return undefined
    throw error
  }
}

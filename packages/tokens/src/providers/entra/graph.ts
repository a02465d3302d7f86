// Calls of Microsoft Graph by the console's own app.
import { Fault } from '@rookery/kernel/fault.ts'
import type { ProviderWorld } from '../../provider.ts'
import { callProvider, isRecord, reasonText, textOf, type ProviderAnswer } from '../../provider-call.ts'
import { openAccess, type EntraAccount } from './access-token.ts'

export interface GraphCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Behind the base address, such as `/v1.0/applications`; or a whole address that Graph gave. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON. */
  readonly body?: string | object
  /** Statuses besides 2xx that are an answer, not a failure. */
  readonly expects?: readonly number[]
}

export type CallGraph = (call: GraphCall) => Promise<ProviderAnswer>

/** Graph refused a call. Its code is Graph's own, such as `Authorization_RequestDenied`. */
export class GraphRefusal extends Fault {
  readonly status: number
  readonly graphCode: string

  constructor({ method, path }: GraphCall, { status, json }: ProviderAnswer) {
    const graphCode = textOf(json['error'], 'code')
    const reason = reasonText(textOf(json['error'], 'message'))
    const what = `${method} ${path.split('?')[0]}`
    super('unavailable', `Microsoft Graph refused ${what} with ${status} ${graphCode}: ${reason}`)
    this.name = 'GraphRefusal'
    this.status = status
    this.graphCode = graphCode
  }
}

/** Throws a `GraphRefusal`, or the `unavailable` of a service that is away or wants fewer calls. */
export function openGraph(world: ProviderWorld, account: EntraAccount): CallGraph {
  const access = openAccess(world, account)
  return async (call) => {
    const { method, path, body } = call
    const answer = await callProvider(world, 'Microsoft Graph', {
      method,
      url: addressOf(account.graphUrl, path),
      headers: {
        Authorization: await access(),
        ...(typeof body === 'object' && { 'Content-Type': 'application/json' }),
        ...call.headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isSuccess = answer.status >= 200 && answer.status < 300
    if (!isSuccess && !call.expects?.includes(answer.status)) throw new GraphRefusal(call, answer)
    return answer
  }
}

/** The next page of a list has a whole address: the access is for Graph alone. */
function addressOf(graphUrl: string, path: string): string {
  const url = new URL(path, graphUrl)
  if (url.origin === new URL(graphUrl).origin) return url.href
  throw new Fault('unavailable', `Microsoft Graph named a page at ${url.origin}, not at ${graphUrl}.`)
}

const MAX_PAGES = 50

/** The entries of a list, page after page. */
export async function* pages(
  call: CallGraph,
  path: string,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  let next = path
  for (let page = 0; page < MAX_PAGES && next !== ''; page++) {
    const { json } = await call({ method: 'GET', path: next })
    const { value } = json
    for (const entry of Array.isArray(value) ? (value as readonly unknown[]) : [])
      if (isRecord(entry)) yield entry
    next = textOf(json, '@odata.nextLink')
  }
}

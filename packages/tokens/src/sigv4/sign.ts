// Signs a request to a service of AWS with Signature Version 4, in its header.
import { ALGORITHM, scopeText, sha256, signatureOf } from './signature.ts'

export interface AccessKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary keys. */
  readonly sessionToken?: string | undefined
}

export interface UnsignedRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface SigningPlace {
  readonly region: string
  readonly service: string
  /** Milliseconds UTC: AWS refuses a request that is more than five minutes off. */
  readonly at: number
}

/** The header fields to send: those given, and those of the signature. */
export function signedHeaders(
  { url, method, headers, body }: UnsignedRequest,
  { accessKeyId, secretAccessKey, sessionToken }: AccessKey,
  { region, service, at }: SigningPlace,
): Record<string, string> {
  const { host, pathname, search } = new URL(url)
  const time = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
  const own = {
    ...headers,
    'X-Amz-Date': time,
    ...(sessionToken !== undefined && { 'X-Amz-Security-Token': sessionToken }),
  }
  const fields = new Map(
    Object.entries({ ...own, Host: host }).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const names = [...fields.keys()].sort()
  const scope = { date: time.slice(0, 8), region, service }
  const signature = signatureOf(secretAccessKey, scope, {
    method,
    pathname,
    fields,
    time,
    query: search.slice(1),
    signedHeaders: names,
    payloadHash: sha256(body),
  })
  const credential = `${accessKeyId}/${scopeText(scope)}`
  return {
    ...own,
    Authorization: `${ALGORITHM} Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature.toString('hex')}`,
  }
}

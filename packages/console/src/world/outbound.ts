// HTTP to addresses that users give. They are checked at the socket, behind every redirect and DNS answer.
import { isIP } from 'node:net'
import { getCACertificates } from 'node:tls'
import { Agent, buildConnector, request as httpRequest } from 'undici'
import { byteCollector } from '@rookery/kernel/byte-collector.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Outbound, OutboundAnswer, OutboundRequest, Resolver } from '@rookery/kernel/world.ts'
import type { Ranges } from '../addresses/ranges.ts'
import { checkedLookup, refusalOfUrl, refused } from './checked-lookup.ts'
import { isEgressAllowed } from './egress-policy.ts'
import { failureCause } from './failure-cause.ts'

const BODY_BYTES = 4 * 1024
const HEADER_BYTES = 16 * 1024
const CONNECT_MS = 10_000

/** An `Outbound` over kept-alive connections. */
export interface OpenOutbound extends Outbound {
  /** Closes every connection. */
  close(): Promise<void>
}

/**
 * Connects only to addresses of the public Internet and those in `allow`. A name is resolved at every connect, and only a
 * checked address is used, against DNS rebinding. `caCertificates` (PEM) are trusted besides the default ones.
 */
export function openOutbound(
  allow: Ranges,
  resolver: Pick<Resolver, 'addresses'>,
  caCertificates: readonly string[] = [],
): OpenOutbound {
  const lookup = checkedLookup(allow, resolver)
  const dial = buildConnector({
    lookup,
    autoSelectFamily: true,
    allowH2: false,
    timeout: CONNECT_MS,
    ...(caCertificates.length > 0 && { ca: [...getCACertificates('default'), ...caCertificates] }),
  } as buildConnector.BuildOptions)

  const agent = new Agent({
    pipelining: 1,
    maxHeaderSize: HEADER_BYTES,
    connect(options, callback) {
      const host = options.hostname.replace(/^\[(.*)\]$/, '$1')
      // A literal address does not pass through `lookup`.
      if (isIP(host) !== 0 && !isEgressAllowed(host, allow)) {
        callback(refused(host, [host]), null)
        return
      }
      dial(options, (...result) => {
        const [, socket] = result
        const peer = socket?.remoteAddress
        if (socket && (peer === undefined || !isEgressAllowed(peer, allow))) {
          socket.destroy()
          callback(refused(host, peer === undefined ? [] : [peer]), null)
          return
        }
        callback(...result)
      })
    },
  })

  return {
    async send(sent) {
      const url = checkedUrl(sent.url)
      const signal = AbortSignal.timeout(sent.timeoutMs)
      try {
        const { statusCode, headers, body } = await httpRequest(url, {
          dispatcher: agent,
          method: sent.method,
          headers: sent.headers,
          body: sent.body ?? null,
          signal,
        })
        return { status: statusCode, headers: flat(headers), body: await firstBytes(body, sent.mostBytes) }
      } catch (error) {
        throw explained(error, signal.aborted, sent)
      }
    },
    refusal: (url) => refusalOfUrl(url, allow),
    close: () => agent.destroy(),
  }
}

/** The URL, if it is one that may be called: http or https, a host, no credentials. */
function checkedUrl(text: string): URL {
  if (!URL.canParse(text)) throw new Fault('bad-input', 'This is not a URL.')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Fault('bad-input', `Only http and https are called, not ${url.protocol.slice(0, 20)}`)
  }
  if (url.username !== '' || url.password !== '')
    throw new Fault('bad-input', 'A URL must carry no credentials; a header may.')
  return url
}

async function firstBytes(body: AsyncIterable<Buffer>, most = BODY_BYTES): Promise<string> {
  const first = byteCollector()
  let left = most
  for await (const piece of body) {
    first.add(piece.subarray(0, left))
    left -= piece.length
    // Leaving the loop closes the connection: more is not read.
    if (left <= 0) break
  }
  return first.bytes().toString('utf8')
}

const flat = (headers: Readonly<Record<string, string | string[] | undefined>>): OutboundAnswer['headers'] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )

/** The failure as a fault whose message may be shown; never with the URL, which may contain a secret. */
function explained(error: unknown, timedOut: boolean, { timeoutMs }: OutboundRequest): Fault {
  if (error instanceof Fault) return error
  if (timedOut) return new Fault('unavailable', `No answer within ${timeoutMs / 1000} s.`, { cause: error })
  const text = failureCause(error) ?? `The call failed: ${String((error as Error).message).slice(0, 200)}.`
  return new Fault('unavailable', text, { cause: error })
}

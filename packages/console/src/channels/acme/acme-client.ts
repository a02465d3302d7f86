// Signed requests to an ACME server: each with a nonce that it gave, and with what it answers in the place of a certificate.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Clock, Outbound, OutboundAnswer, OutboundRequest } from '@rookery/kernel/world.ts'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { retryAfterMs } from '../../notify/senders/retry-after.ts'
import { VERSION } from '../../version.ts'
import { signedBody, type AccountKey } from './jws.ts'
import { Directory, Location, printable, Problem, readMessage, sentenceOf } from './messages.ts'

/** The server refuses a request, and says why (RFC 8555, 6.7). */
export class AcmeProblem extends Fault {
  /** Such as `rateLimited`. */
  readonly type: string

  constructor(type: string, message: string, retryAfterS: number | undefined) {
    super('unavailable', message, retryAfterS === undefined ? {} : { retryAfterS })
    this.name = 'AcmeProblem'
    this.type = type
  }
}

export interface AcmeClient {
  readonly directory: Directory
  /**
   * Sends a payload, or fetches without one. `account` is the URL of the account; without it the request says the public key.
   * Throws an `AcmeProblem`, or a `Fault` where no answer comes.
   */
  post(url: string, payload?: object, account?: string): Promise<OutboundAnswer>
}

export interface AcmeClientDeps {
  readonly outbound: Pick<Outbound, 'send'>
  readonly clock: Pick<Clock, 'now'>
}

const REQUEST_MS = 20_000
/** A chain of certificates has some ten KiB. */
const MAX_BYTES = 256 * 1024
/** Servers refuse nonces that are old, or were given by another of them. */
const TRIES = 6
/** RFC 8555, 6.1. */
const USER_AGENT = `Rookery/${VERSION}`

export async function openAcmeClient(
  { outbound, clock }: AcmeClientDeps,
  directoryUrl: string,
  key: AccountKey,
): Promise<AcmeClient> {
  const { host } = new URL(directoryUrl)
  let nonce: string | undefined

  async function send(request: Pick<OutboundRequest, 'url' | 'method' | 'body'>): Promise<OutboundAnswer> {
    const headers = {
      'User-Agent': USER_AGENT,
      ...(request.body !== undefined && { 'Content-Type': 'application/jose+json' }),
    }
    try {
      const answer = await outbound.send({
        ...request,
        headers,
        timeoutMs: REQUEST_MS,
        mostBytes: MAX_BYTES,
      })
      nonce = answer.headers['replay-nonce'] ?? nonce
      return answer
    } catch (cause) {
      throw new Fault('unavailable', `${host} cannot be asked. ${printable((cause as Error).message)}`, {
        cause,
      })
    }
  }

  async function takeNonce(newNonce: string): Promise<string> {
    if (nonce === undefined) await send({ url: newNonce, method: 'GET' })
    const taken = nonce
    nonce = undefined
    if (taken === undefined) throw new Fault('unavailable', `${host} gave no nonce.`)
    return taken
  }

  const problemOf = ({ status, headers, body }: OutboundAnswer): AcmeProblem => {
    const problem: Problem = readMessage(Problem, body) ?? {}
    const reasons = [problem, ...(problem.subproblems ?? [])].map(sentenceOf).filter((it) => it !== '')
    const waitMs = retryAfterMs(headers['retry-after'], clock.now())
    return new AcmeProblem(
      problem.type?.split(':').at(-1) ?? '',
      `${host} answered ${status}${reasons.length > 0 ? `, ${printable(reasons.join('; '))}` : ''}.`,
      waitMs > 0 ? Math.ceil(waitMs / 1_000) : undefined,
    )
  }

  const found = await send({ url: directoryUrl, method: 'GET' })
  if (found.status >= 400) throw problemOf(found)
  const directory = readMessage(Directory, found.body)
  if (!directory)
    throw new Fault(
      'unavailable',
      `ROOKERY_TOKENS_ACME_URL is ${directoryUrl}, which answered ${found.status} and no directory of ACME; it must be the URL of one (RFC 8555, 7.1.1).`,
    )

  return {
    directory,
    async post(url, payload, account) {
      for (let tries = 1; ; tries++) {
        const body = signedBody(
          key,
          { nonce: await takeNonce(directory.newNonce), url, kid: account },
          payload,
        )
        const answer = await send({ url, method: 'POST', body })
        if (answer.status < 400) return answer
        const problem = problemOf(answer)
        if (problem.type !== 'badNonce' || tries === TRIES) throw problem
      }
    },
  }
}

/** The message of an answer; a `Fault` that says `what` it is where it has another form. */
export function messageIn<T extends TSchema>(schema: T, answer: OutboundAnswer, what: string): Static<T> {
  const message = readMessage(schema, answer.body)
  if (message === undefined)
    throw new Fault(
      'unavailable',
      `The ACME server answered ${answer.status} and no ${what} (RFC 8555, 7.1).`,
    )
  return message
}

/** The URL of what was made (RFC 8555, 7.3 and 7.4); a `Fault` that says `what` it is where there is none. */
export function locationIn({ headers: { location = '' } }: OutboundAnswer, what: string): string {
  if (isLocation.Check(location)) return location
  const given = location === '' ? 'no URL' : JSON.stringify(printable(location))
  throw new Fault(
    'unavailable',
    `The ACME server made the ${what} and said ${given} as its Location; it must be an https URL.`,
  )
}

const isLocation = Compile(Location)

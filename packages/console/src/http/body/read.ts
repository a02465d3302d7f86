// The body of one request, read in two steps: the part in which the key must be, and, once the caller is known, the rest.
import type { IncomingMessage } from 'node:http'
import type { Operation } from '@rookery/contract/operation.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { BodyBudget, BodyShare } from './budget.ts'
import type { BodyDecoder, RawValue } from './decoder.ts'
import { bodyDecoder } from './decode.ts'
import { mostBytes, type MostBytes } from './most-bytes.ts'
import { BODY_BYTES, KEY_BYTES } from '../request-limits.ts'
import { unreadable } from './unreadable.ts'

export interface RequestBody {
  /**
   * The text of this parameter, undefined without one; a `Fault` when the body cannot be read, or when it goes on, its
   * first 64 KiB have no key, and the request has none elsewhere.
   */
  findKey(name: KeyName, hasOther: boolean): Promise<string | undefined>
  /** The caller may call, with this key: the whole body, within the operation's own bound; a `Fault` when it cannot be read. */
  readAll(keyId: string): Promise<Iterable<readonly [string, RawValue]>>
  /** Whether it was refused while its sender was silent: the connection is of no use then. */
  wasCut(): boolean
  /** Gives its memory back to the budget. */
  release(): void
}

/** Names of parameters that a key comes in. */
const KEY_NAMES = ['factory_auth', 'auth_token'] as const
export type KeyName = (typeof KEY_NAMES)[number]

/** Undefined for a request without a body. */
export function requestBody(
  request: IncomingMessage,
  operation: Pick<Operation, 'params' | 'maxBodyBytes'>,
  budget: BodyBudget,
  source: string,
): RequestBody | undefined {
  const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = request.headers
  if (encoding === undefined && (length === undefined || length === '0')) return undefined
  const most = mostBytes(operation, type)
  const share = budget.open(source)
  let decoder: BodyDecoder | undefined
  let received = 0
  let hasEnded = false

  let wasCut = false
  const whileWaiting = (cut: (fault: Fault) => void): (() => void) =>
    share.waits((fault) => {
      wasCut = true
      cut(fault)
    })

  /** Reads on until `enough` bytes came, or the end. */
  async function readUntil(enough: number): Promise<BodyDecoder> {
    if (Number(length ?? 0) > most.bytes) throw tooLarge(most)
    while (!hasEnded && received < enough) {
      const bytes = await nextBytes(request, whileWaiting).catch(leaveInTurn)
      if (bytes === undefined) hasEnded = true
      else {
        received += bytes.length
        if (received > most.bytes) throw tooLarge(most)
        share.take(bytes.length)
        decoderNow().push(bytes)
      }
    }
    return decoderNow()
  }

  /** What the sender goes on to send stays outside meanwhile; the answer resumes its connection. */
  async function leaveInTurn(error: unknown): Promise<never> {
    if (wasCut && error instanceof Fault && error.code === 'unavailable') {
      decoder = undefined
      request.socket.pause()
      await share.leavesInTurn()
    }
    throw error
  }

  /** A body of no bytes is no error, whatever type it claims. */
  const decoderNow = (): BodyDecoder =>
    received === 0
      ? NO_BODY
      : (decoder ??= bodyDecoder(type, (name) => name in operation.params.properties || isKey(name)))

  /** A sender who is slow, but has shown a key, may go on. */
  function evenIfLate(error: unknown): BodyDecoder {
    const isLate = error instanceof Fault && error.code === 'timeout'
    if (isLate && hasText(decoderNow().find(KEY_NAMES, false))) {
      wasCut = false
      share.take(received)
      return decoderNow()
    }
    throw error
  }

  let keys: ReadonlyMap<string, string> | undefined
  return {
    async findKey(name, hasOther) {
      if (!keys) {
        const soFar = await readUntil(KEY_BYTES.max).catch(evenIfLate)
        keys = soFar.find(KEY_NAMES, hasEnded)
        // Without a key, a body that cannot be read is the error. With one it is decoded once the key is valid.
        if (hasEnded && !hasText(keys)) soFar.end()
      }
      if (!hasEnded && !hasOther && !hasText(keys)) throw noKey(name)
      return keys.get(name)
    },
    async readAll(keyId) {
      share.known(keyId)
      return (await readUntil(Infinity)).end(share.take)
    },
    wasCut: () => wasCut,
    release: share.release,
  }
}

const NO_BODY: BodyDecoder = { push: () => undefined, find: () => new Map(), end: () => [] }

const hasText = (keys: ReadonlyMap<string, string>): boolean => [...keys.values()].some((key) => key !== '')

const isKey = (name: string): boolean => (KEY_NAMES as readonly string[]).includes(name)

function noKey(name: KeyName): Fault {
  const where = `must be in the header, in the query or in the first ${KEY_BYTES.max} bytes of the body`
  return new Fault('unauthenticated', 'Invalid auth_token', { details: { [name]: where } })
}

function tooLarge({ bytes, advice }: MostBytes): Fault {
  BODY_BYTES.hit()
  return new Fault('too-large', `The body of this operation may be ${bytes} bytes long${advice}.`)
}

/** What has arrived, or the next that arrives; undefined at the end of the body. */
function nextBytes(request: IncomingMessage, whileWaiting: BodyShare['waits']): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let isSettled = false
    let stopWaiting: (() => void) | undefined
    const read = (): void => {
      const bytes = request.read() as Buffer | null
      if (bytes !== null) settle(() => resolve(bytes))
      else if (request.readableEnded) settle(() => resolve(undefined))
    }
    const end = (): void => settle(() => resolve(undefined))
    const fail = (): void => settle(() => reject(unreadable('did not arrive whole')))
    function settle(answer: () => void): void {
      request.off('readable', read).off('end', end).off('close', fail).off('error', fail)
      stopWaiting?.()
      isSettled = true
      answer()
    }
    request.on('readable', read).on('end', end).on('close', fail).on('error', fail)
    if (request.destroyed && !request.readableEnded) fail()
    else read()
    if (!isSettled) stopWaiting = whileWaiting((fault) => settle(() => reject(fault)))
  })
}

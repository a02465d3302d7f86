// A request as the codec of a server reads it: first the head, then the body part by part.

/** Request line and header fields. */
export interface RequestHead {
  readonly method: string
  /** As it was sent, latin1. */
  readonly target: string
  readonly version: '0.9' | '1.0' | '1.1'
  /** Names in lower case, in the order of arrival. Repeated fields are joined by `, `. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: {
    readonly kind: 'none' | 'length' | 'chunked'
    readonly length: number
    /** Length and coding contradict each other: Apache reads no body, and closes (RFC 9112, 6.3). */
    readonly isContradictory?: boolean
  }
  /** The status with which the server refuses it although it could read it. */
  readonly refusedWith?: number
}

export interface BodyPart {
  readonly bodyPart: Buffer
  readonly isLast: boolean
  /** Bytes of the chunk that are still to come; 0: its line end. Undefined: the next chunk begins. */
  readonly chunkLeft?: number
}

/** A request that cannot be served: the status to answer with, and the request line as far as it is known. */
export interface BrokenRequest {
  readonly status: number
  readonly line: string
  readonly note?: string
  /** What signs the error page, where the client named it. */
  readonly name?: string
  readonly port?: string
  /** Not even the method is known: a HEAD gets its page. */
  readonly isLineBroken?: boolean
  /** The whole body was read before, up to a broken trailer: the answer has a length. */
  readonly hasLength?: boolean
  /** The client ended in the middle of the body. */
  readonly isCutOff?: boolean
  /** What is still to come of its body: it is read and dropped before the close. */
  readonly restOfBody?: NonNullable<BodyProgress>
  /** The page is sent without a head, as to clients of HTTP/0.9. */
  readonly isBare?: boolean
  /** The fields that were read before it broke. */
  readonly headers?: ReadonlyMap<string, string>
}

export type Frame = { readonly head: RequestHead } | BodyPart | BrokenRequest

/** The body that is being received; undefined between requests. */
export type BodyProgress =
  | { readonly kind: 'length'; readonly left: number }
  | { readonly kind: 'chunked'; readonly left?: number }
  | undefined

export type Scheme = 'http' | 'https'

/** The client waits for `100 Continue` before it sends the body (RFC 9110, 10.1.1). */
export const expectsContinue = ({ version, headers }: Pick<RequestHead, 'version' | 'headers'>): boolean =>
  version === '1.1' && /^100-continue$/i.test(headers.get('expect') ?? '')

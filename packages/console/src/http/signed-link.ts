// Links that open one file for an hour, without a key. What a link opens is sealed under the master key: each console of it
// reads it, nobody else does, and nobody makes or changes one. It stands in the query, which no log of the console shows.
import type { FastifyInstance } from 'fastify'
import { Fault } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../app-context.ts'
import { sendRange, type RangedFile } from './send-range.ts'

/** What a link opens; a use has an opener in `serveSignedLinks`. */
export interface LinkTarget {
  readonly use: LinkUse
  /** Under which the file is saved. */
  readonly filename: string
  /** What the opener needs. */
  readonly args: Readonly<Record<string, string>>
}

export type LinkUse = 'image' | 'seed'

export interface SignedLink {
  readonly url: string
  readonly expiresAt: number
}

/** Answers the file; rejects with `not-found` when it is gone. */
export type OpenLinked = (target: LinkTarget) => Promise<Omit<RangedFile, 'filename'>>

const LIFETIME_MS = 3_600_000
const PLACE = { table: 'signed_link', column: 'target', row: '' }
const PATH = '/download/'

/** `baseUrl`: of the console, as a holder of the link reaches it. */
export function signedLink(
  { vault, world }: Pick<AppContext, 'vault' | 'world'>,
  baseUrl: string,
  target: LinkTarget,
): SignedLink {
  const expiresAt = world.clock.now() + LIFETIME_MS
  const sealed = vault.seal(JSON.stringify({ ...target, expiresAt }), PLACE).replaceAll(':', '.')
  return { url: `${baseUrl}${PATH}${encodeURIComponent(target.filename)}?link=${sealed}`, expiresAt }
}

/** GET and HEAD, with Range. */
export function serveSignedLinks(
  server: FastifyInstance,
  { vault, world }: Pick<AppContext, 'vault' | 'world'>,
  openers: Readonly<Record<LinkUse, OpenLinked>>,
): void {
  function targetOf(sealed: string): LinkTarget {
    const { expiresAt, ...target } = opened(sealed)
    if (expiresAt > world.clock.now()) return target
    throw new Fault('forbidden', 'This link has expired: a link is good for an hour. Ask for another one.')
  }

  function opened(sealed: string): LinkTarget & Pick<SignedLink, 'expiresAt'> {
    try {
      return JSON.parse(vault.open(sealed.replaceAll('.', ':'), PLACE)) as ReturnType<typeof opened>
    } catch (cause) {
      throw new Fault('not-found', 'This is no link of this console. Ask for another one.', { cause })
    }
  }

  server.route({
    method: ['GET', 'HEAD'],
    url: `${PATH}:filename`,
    async handler(request, reply) {
      const query = new URL(request.url, 'http://console').searchParams
      const target = targetOf(query.get('link') ?? '')
      const file = await openers[target.use](target)
      return sendRange(request, reply, { filename: target.filename, ...file })
    },
  })
}

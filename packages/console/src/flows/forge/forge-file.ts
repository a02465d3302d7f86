// The file of a token: its kind's forge, with what the token was made of.
import { Fault } from '@rookery/kernel/fault.ts'
import type { ForgedFile } from '@rookery/tokens/forge.ts'
import type { IssuedValues } from '@rookery/tokens/issued-values.ts'
import {
  isStoredFile,
  isUploadedFile,
  type StoredFile,
  type TokenSettings,
  type UploadedFile,
} from '@rookery/tokens/settings.ts'
import type { Placement, TokenAddress } from '@rookery/tokens/token.ts'
import type { AppContext } from '../../app-context.ts'
import { seedOf } from '../../secrets/token-seed.ts'
import { readWhole } from '../files/uploads.ts'
import { FORGE_BYTES, ForgeEnded } from './forge-process.ts'
import {
  FACTORY_WORK_MS,
  FORGING_MS,
  ForgingTooLong,
  type ForgeCaller,
  type ForgeQueue,
} from './forge-queue.ts'

/** What a file is made of: the settings may hold files that are stored, or were just uploaded. */
export interface ForgeSubject {
  readonly kind: string
  readonly address: TokenAddress
  readonly settings: TokenSettings
  readonly issued: IssuedValues
}

/**
 * Makes the file. A `bad-input` names the uploads that the kind cannot use, or that take too much memory or time;
 * `unavailable` says that the forge process ended for another reason.
 */
export type ForgeFile = (subject: ForgeSubject, caller: ForgeCaller) => Promise<ForgedFile>

const RETRY_AFTER_S = 5

export const fileForge =
  (
    { reader, vault, log }: Pick<AppContext, 'reader' | 'vault' | 'log'>,
    queue: Pick<ForgeQueue, 'forge'>,
    placement: Placement,
  ): ForgeFile =>
  async ({ kind, address, settings, issued }, caller) => {
    const files = Object.entries(settings).filter(isFile)
    const readAll = async (): Promise<Record<string, Uint8Array>> => {
      const uploads: Record<string, Uint8Array> = {}
      for (const [name, file] of files)
        uploads[name] = 'bytes' in file ? file.bytes : await readWhole(reader, file)
      return uploads
    }
    const seed = seedOf(vault, address.tokenId)
    try {
      return await queue.forge(caller, async () => ({
        kind,
        address,
        placement,
        issued,
        seed,
        settings: { ...settings, ...withoutBytes(files) },
        uploads: await readAll(),
      }))
    } catch (error) {
      if (error instanceof ForgeEnded || error instanceof ForgingTooLong)
        log.warn({ err: error, kind, tokenId: address.tokenId }, 'the file of a token could not be made')
      throw (
        faultOf(
          error,
          files.map(([name]) => name),
        ) ?? error
      )
    }
  }

const isFile = (entry: [string, unknown]): entry is [string, StoredFile | UploadedFile] =>
  isStoredFile(entry[1]) || isUploadedFile(entry[1])

/** What a kind sees of its uploads among its settings. */
const withoutBytes = (files: readonly [string, StoredFile | UploadedFile][]): TokenSettings =>
  Object.fromEntries(
    files.map(([name, file]) => {
      if (!('bytes' in file)) return [name, file]
      const { filename, contentType, bytes } = file
      return [name, { fileId: '', filename, contentType, size: bytes.byteLength } satisfies StoredFile]
    }),
  )

/** A limit that is met is the fault of what was uploaded, if anything was. */
function faultOf(error: unknown, names: readonly string[]): Fault | undefined {
  const bound = boundOf(error)
  const [first] = names
  if (bound !== undefined && first !== undefined)
    return new Fault('bad-input', `Parameter ${first} was invalid.`, {
      details: Object.fromEntries(names.map((name) => [name, `must be a file that can be read ${bound}`])),
      cause: error,
    })
  if (bound === undefined && !(error instanceof ForgeEnded)) return undefined
  return new Fault(
    'unavailable',
    `The file of the token could not be made. Try again in ${RETRY_AFTER_S} s.`,
    { retryAfterS: RETRY_AFTER_S, cause: error },
  )
}

function boundOf(error: unknown): string | undefined {
  if (error instanceof ForgingTooLong) return `within ${FORGING_MS / 1_000} s`
  if (!(error instanceof ForgeEnded)) return undefined
  if (error.reason === 'memory') return `within ${FORGE_BYTES.max / 1024 / 1024} MiB of memory`
  return error.reason === 'work' ? `within ${FACTORY_WORK_MS / 1_000} s of processor time` : undefined
}

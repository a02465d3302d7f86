// What Windows keeps of one connection, more than every server does.
import { join, u32, zeros } from '../../../../windows/fields.ts'
import { fileIdOf, type FileId } from '../../protocol/codec/file-id.ts'
import type * as shared from '../../protocol/state.ts'
import type { Machine } from './machine.ts'

export interface Windows {
  readonly machine: Machine
  readonly config: object
  readonly state: {
    /** Direct TCP, or a NetBIOS session that is still to be asked for, or that stands. */
    readonly transport: Transport
    /** An SMB1 negotiation was answered, and the client is to negotiate anew. */
    readonly isUpgraded: boolean
    /** Numbers of sessions, trees, files and asynchronous requests grow from it. */
    readonly lastNumber: number
  }
  readonly exchange: { readonly challenge: Buffer; readonly version: string | undefined }
  /** How many ranges are locked. */
  readonly file: { readonly locks: number }
  readonly request: object
  readonly call: object
  /** The answer says that another one follows. */
  readonly outcome: { readonly asyncId?: bigint }
}

export type Transport = 'direct' | 'netbios-closed' | 'netbios-open'

export type SmbConfig = shared.Config<Windows>
export type SmbState = shared.State<Windows>
export type SmbSession = shared.Session<Windows>
export type Open = shared.Open<Windows>
export type OpenFile = shared.OpenFile<Windows>
export type OpenPipe = shared.OpenPipe<Windows>

/** Of the open files of one connection. A pipe may hold far more than a file. */
export const MAX_PIPES = 8

/** The id of the next file or pipe. */
export const nextFileId = ({ lastNumber }: SmbState): FileId =>
  fileIdOf(join(u32(4 * lastNumber + 1), zeros(4), u32(4 * lastNumber + 1), u32(0xffffffff)))

// Requests on an open file ([MS-SMB2] 2.2.15 to 2.2.39).
import { inOrder, join, textOf, u16, u32, u64, u8, zeros, type Content } from '../../../../windows/fields.ts'
import { COMMAND, HEADER_BYTES } from './header.ts'
import { writeTimes, type ShownFile } from './create.ts'
import { bodyReader, partOf } from './messages.ts'
import { fileIdBytes, fileIdOf, type FileId } from './file-id.ts'

/** CLOSE with the flag that asks for the attributes. */
export const POSTQUERY_ATTRIB = 1

export interface CloseRequest {
  readonly wantsAttributes: boolean
  readonly fileId: FileId
}

export function readClose(message: Buffer): CloseRequest | undefined {
  const body = bodyReader(message, COMMAND.close)
  if (!body) return undefined
  const flags = body.u16()
  body.skip(4)
  return { wantsAttributes: (flags & POSTQUERY_ATTRIB) !== 0, fileId: fileIdOf(body.bytes(16)) }
}

export const writeClose = (file: ShownFile | undefined): Buffer =>
  file === undefined
    ? join(u16(60), zeros(58))
    : join(
        u16(60),
        u16(POSTQUERY_ATTRIB),
        u32(0),
        writeTimes(file.times),
        u64(file.allocationSize),
        u64(file.size),
        u32(file.attributes),
      )

export interface ReadRequest {
  readonly length: number
  readonly offset: bigint
  readonly fileId: FileId
  readonly minimumCount: number
}

export function readRead(message: Buffer): ReadRequest | undefined {
  const body = bodyReader(message, COMMAND.read)
  if (!body) return undefined
  body.skip(2)
  return {
    length: body.u32(),
    offset: body.u64(),
    fileId: fileIdOf(body.bytes(16)),
    minimumCount: body.u32(),
  }
}

export const writeRead = (content: Content): Content =>
  inOrder(join(u16(17), u8(HEADER_BYTES + 16), u8(0), u32(content.length), u32(0), u32(0)), content)

export interface WriteRequest {
  readonly length: number
  readonly offset: bigint
  readonly fileId: FileId
  /** Undefined when it lies outside of the message. */
  readonly content: Buffer | undefined
}

export function readWrite(message: Buffer): WriteRequest | undefined {
  const body = bodyReader(message, COMMAND.write)
  if (!body) return undefined
  const contentAt = body.u16()
  const length = body.u32()
  const offset = body.u64()
  return { length, offset, fileId: fileIdOf(body.bytes(16)), content: partOf(message, contentAt, length) }
}

export const writeWrite = (count: number): Buffer => join(u16(17), u16(0), u32(count), u32(0), u16(0), u16(0))

export interface IoctlRequest {
  readonly code: number
  readonly fileId: FileId
  readonly input: Buffer
  readonly maxOutput: number
  readonly isFsctl: boolean
}

export function readIoctl(message: Buffer): IoctlRequest | undefined {
  const body = bodyReader(message, COMMAND.ioctl)
  if (!body) return undefined
  body.skip(2)
  const code = body.u32()
  const fileId = fileIdOf(body.bytes(16))
  const input = partOf(message, body.u32(), body.u32())
  body.skip(12)
  const maxOutput = body.u32()
  const isFsctl = (body.u32() & 1) !== 0
  return input && { code, fileId, input, maxOutput, isFsctl }
}

export function writeIoctl(code: number, fileId: FileId, output: Buffer): Buffer {
  const outputAt = HEADER_BYTES + 48
  return join(
    u16(49),
    u16(0),
    u32(code),
    fileIdBytes(fileId),
    u32(outputAt),
    u32(0),
    u32(outputAt),
    u32(output.length),
    u32(0),
    u32(0),
    output,
  )
}

export interface QueryDirectoryRequest {
  readonly infoClass: number
  readonly flags: number
  readonly fileIndex: number
  readonly fileId: FileId
  readonly pattern: string
  readonly maxOutput: number
}

export function readQueryDirectory(message: Buffer): QueryDirectoryRequest | undefined {
  const body = bodyReader(message, COMMAND.queryDirectory)
  if (!body) return undefined
  const [infoClass, flags, fileIndex, fileId] = [body.u8(), body.u8(), body.u32(), fileIdOf(body.bytes(16))]
  const pattern = partOf(message, body.u16(), body.u16())
  return pattern && { infoClass, flags, fileIndex, fileId, pattern: textOf(pattern), maxOutput: body.u32() }
}

export interface QueryInfoRequest {
  readonly type: number
  readonly infoClass: number
  readonly maxOutput: number
  readonly additional: number
  readonly fileId: FileId
}

export function readQueryInfo(message: Buffer): QueryInfoRequest | undefined {
  const body = bodyReader(message, COMMAND.queryInfo)
  if (!body) return undefined
  const [type, infoClass, maxOutput] = [body.u8(), body.u8(), body.u32()]
  body.skip(8)
  const additional = body.u32()
  body.skip(4)
  return { type, infoClass, maxOutput, additional, fileId: fileIdOf(body.bytes(16)) }
}

/** Where the file id begins in the body of each command that has one. */
export const FILE_ID_AT: Readonly<Record<number, number>> = {
  [COMMAND.close]: 8,
  [COMMAND.flush]: 8,
  [COMMAND.read]: 16,
  [COMMAND.write]: 16,
  [COMMAND.lock]: 8,
  [COMMAND.ioctl]: 8,
  [COMMAND.queryDirectory]: 8,
  [COMMAND.changeNotify]: 8,
  [COMMAND.queryInfo]: 24,
  [COMMAND.setInfo]: 16,
}

/** Reads the file of FLUSH, LOCK, CHANGE_NOTIFY and SET_INFO. */
export const readFileId =
  (command: number) =>
  (message: Buffer): { readonly fileId: FileId } | undefined => {
    const at = FILE_ID_AT[command]
    const body = bodyReader(message, command)
    if (!body || at === undefined) return undefined
    body.skip(at - 2)
    return { fileId: fileIdOf(body.bytes(16)) }
  }

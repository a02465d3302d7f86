// What the request bodies of [MS-SMB2] 2.2 share: a size that must be right, and parts that lie elsewhere in the message.
import { DIALECT, type Dialect } from './dialect.ts'
import { HEADER_BYTES } from './header.ts'
import { part, reader, u16, u32, u8, join, type Reader } from '../../../../windows/fields.ts'

/** StructureSize of each request body, by command ([MS-SMB2] 2.2.3 ff.). */
const REQUEST_SIZES: readonly number[] = [
  36, 25, 4, 9, 4, 57, 24, 24, 49, 49, 48, 57, 4, 4, 33, 32, 41, 33, 24,
]

/** The fields behind StructureSize; undefined when the body is too short for the fixed part, or names another size. */
export function bodyReader(message: Buffer, command: number): Reader | undefined {
  const size = REQUEST_SIZES[command]
  const body = message.subarray(HEADER_BYTES)
  // An odd size counts one byte of the part that varies ([MS-SMB2] 2.2).
  if (size === undefined || body.length < (size & ~1) || body.readUInt16LE(0) !== size) return undefined
  const fields = reader(body)
  fields.skip(2)
  return fields
}

/** A part by its offset from the beginning of the header. */
export const partOf = (message: Buffer, offset: number, length: number): Buffer | undefined =>
  length > 0 && offset < HEADER_BYTES ? undefined : part(message, offset, length)

/** The body of an error ([MS-SMB2] 2.2.2); without data it has one byte. */
export const errorBody = (content: Buffer = Buffer.alloc(0)): Buffer =>
  join(u16(9), u8(0), u8(0), u32(content.length), content.length === 0 ? u8(0) : content)

/** An error with data. In 3.1.1 the data stands in a context of its own ([MS-SMB2] 2.2.2.1). */
export const errorData = (dialect: Dialect, content: Buffer): Buffer =>
  dialect === DIALECT.v311
    ? join(u16(9), u8(1), u8(0), u32(8 + content.length), u32(content.length), u32(0), content)
    : errorBody(content)

/** A body of 4 bytes, as of LOGOFF, TREE_DISCONNECT, FLUSH, LOCK and ECHO. */
export const emptyBody = (): Buffer => join(u16(4), u16(0))

/** A body whose varying part lies behind offset and length, as of QUERY_INFO, QUERY_DIRECTORY and CHANGE_NOTIFY. */
export const outputBody = (content: Buffer): Buffer =>
  join(u16(9), u16(HEADER_BYTES + 8), u32(content.length), content.length === 0 ? u8(0) : content)

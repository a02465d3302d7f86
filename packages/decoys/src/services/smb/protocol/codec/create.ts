// CREATE ([MS-SMB2] 2.2.13 and 2.2.14) and its contexts.
import { aligned, join, part, reader, textOf, u16, u32, u64, u8, zeros } from '../../../../windows/fields.ts'
import { COMMAND, HEADER_BYTES } from './header.ts'
import { bodyReader, partOf } from './messages.ts'
import { fileIdBytes, type FileId } from './file-id.ts'

export const DISPOSITION = {
  supersede: 0,
  open: 1,
  create: 2,
  openIf: 3,
  overwrite: 4,
  overwriteIf: 5,
} as const
export const OPTION = { directory: 1, nonDirectory: 0x40, deleteOnClose: 0x1000, openById: 0x2000 } as const
/** What became of the file: it was there, and is open. */
const OPENED = 1

export interface CreateRequest {
  readonly oplockLevel: number
  readonly desiredAccess: number
  readonly disposition: number
  readonly options: number
  readonly name: string
  /** By name, such as `MxAc`; of two with one name the last. */
  readonly contexts: ReadonlyMap<string, Buffer>
}

export function readCreate(message: Buffer): CreateRequest | undefined {
  const body = bodyReader(message, COMMAND.create)
  if (!body) return undefined
  body.skip(1)
  const oplockLevel = body.u8()
  body.skip(20)
  const desiredAccess = body.u32()
  body.skip(8)
  const disposition = body.u32()
  const options = body.u32()
  const nameAt = body.u16()
  const nameLength = body.u16()
  const name = nameLength > 0 && nameAt < NAME_AT_LEAST ? undefined : partOf(message, nameAt, nameLength)
  const contexts = partOf(message, body.u32(), body.u32())
  if (!name || !contexts || name.length % 2 === 1) return undefined
  const byName = readContexts(contexts)
  return byName && { oplockLevel, desiredAccess, disposition, options, name: textOf(name), contexts: byName }
}

/** Behind the fixed part of the body. */
const NAME_AT_LEAST = HEADER_BYTES + 56
const MAX_CONTEXTS = 32

/** The list of [MS-SMB2] 2.2.13.2. */
function readContexts(bytes: Buffer): ReadonlyMap<string, Buffer> | undefined {
  const found = new Map<string, Buffer>()
  for (let rest = bytes; rest.length > 0;) {
    const fields = reader(rest)
    const next = fields.u32()
    const [nameAt, nameLength] = [fields.u16(), fields.u16()]
    fields.skip(2)
    const [contentAt, contentLength] = [fields.u16(), fields.u32()]
    const name = part(rest, nameAt, nameLength)
    const content = part(rest, contentAt, contentLength)
    if (!fields.isIntact || !name || !content || found.size === MAX_CONTEXTS) return undefined
    found.set(name.toString('latin1'), content)
    if (next === 0) break
    if (next % 8 !== 0 || next >= rest.length) return undefined
    rest = rest.subarray(next)
  }
  return found
}

export interface FileTimes {
  readonly createdAt: bigint
  readonly accessedAt: bigint
  readonly writtenAt: bigint
  readonly changedAt: bigint
}

/** What CREATE and CLOSE say of a file or pipe. */
export interface ShownFile {
  readonly times: FileTimes
  readonly allocationSize: number
  readonly size: number
  readonly attributes: number
}

export interface CreateResponse {
  readonly oplockLevel: number
  readonly file: ShownFile
  readonly fileId: FileId
  /** Name and content. */
  readonly contexts: readonly (readonly [name: string, content: Buffer])[]
}

export function writeCreate(response: CreateResponse): Buffer {
  const { file, contexts } = response
  const list = writeContexts(contexts)
  return join(
    u16(89),
    u8(response.oplockLevel),
    u8(0),
    u32(OPENED),
    writeTimes(file.times),
    u64(file.allocationSize),
    u64(file.size),
    u32(file.attributes),
    u32(0),
    fileIdBytes(response.fileId),
    u32(list.length === 0 ? 0 : HEADER_BYTES + 88),
    u32(list.length),
    list.length === 0 ? u8(0) : list,
  )
}

export const writeTimes = ({ createdAt, accessedAt, writtenAt, changedAt }: FileTimes): Buffer =>
  join(u64(createdAt), u64(accessedAt), u64(writtenAt), u64(changedAt))

const NAME_AT = 16
const CONTENT_AT = 24

function writeContexts(contexts: CreateResponse['contexts']): Buffer {
  const written = contexts.map(([name, content], i) => {
    const length = CONTENT_AT + content.length
    const isLast = i === contexts.length - 1
    const head = join(
      u32(isLast ? 0 : aligned(zeros(length), 8).length),
      u16(NAME_AT),
      u16(name.length),
      u16(0),
      u16(CONTENT_AT),
      u32(content.length),
    )
    const whole = join(head, aligned(Buffer.from(name, 'latin1'), 8), content)
    return isLast ? whole : aligned(whole, 8)
  })
  return join(...written)
}

// CREATE as Samba reads it.
import { STATUS } from '../../../protocol/codec/status.ts'
import { HEADER_BYTES } from '../../../protocol/codec/header.ts'
import { bodyOf, textFrom } from '../codec.ts'

export interface CreateRequest {
  readonly oplockLevel: number
  readonly impersonation: number
  readonly desiredAccess: number
  readonly attributes: number
  readonly share: number
  readonly disposition: number
  readonly options: number
  readonly name: string
  readonly isDfs: boolean
  /** In their order. */
  readonly contexts: readonly (readonly [name: string, content: Buffer])[]
}

const DFS = 0x10000000
const FLAGS_AT = 16

/** Or why it is refused. */
export function readCreate(message: Buffer): CreateRequest | number {
  const body = bodyOf(message, 57)
  if (!body) return STATUS.invalidParameter
  const { fields, dynamic, dynamicAt } = body
  fields.skip(1)
  const oplockLevel = fields.u8()
  const impersonation = fields.u32()
  fields.skip(16)
  const [desiredAccess, attributes] = [fields.u32(), fields.u32()]
  const [share, disposition, options] = [fields.u32(), fields.u32(), fields.u32()]
  const [nameAt, nameLength, contextsAt, contextsLength] = [
    fields.u16(),
    fields.u16(),
    fields.u32(),
    fields.u32(),
  ]
  if (nameAt !== dynamicAt || nameLength > dynamic.length) return STATUS.invalidParameter
  const nameEnd = (nameLength + 7) & ~7
  if (
    contextsLength > 0 &&
    (contextsAt < HEADER_BYTES + 56 + nameEnd || contextsAt + contextsLength > message.length)
  )
    return STATUS.invalidParameter
  const name = textFrom(dynamic.subarray(0, nameLength))
  if (name === undefined) return STATUS.illegalCharacter
  if (name.includes('\0') && name.length > 0) return STATUS.objectNameInvalid
  const contexts =
    contextsLength > 0 ? readContexts(message.subarray(contextsAt, contextsAt + contextsLength)) : []
  if (!contexts) return STATUS.invalidParameter
  const isDfs = (message.readUInt32LE(FLAGS_AT) & DFS) !== 0
  return {
    oplockLevel,
    impersonation,
    desiredAccess,
    attributes,
    share,
    disposition,
    options,
    name,
    isDfs,
    contexts,
  }
}

const MAX_CONTEXTS = 32
const MIN_NAME = 4

function readContexts(bytes: Buffer): (readonly [string, Buffer])[] | undefined {
  const found: (readonly [string, Buffer])[] = []
  for (let rest = bytes; rest.length >= 16;) {
    const next = rest.readUInt32LE(0)
    const [nameAt, nameLength] = [rest.readUInt16LE(4), rest.readUInt16LE(6)]
    const [contentAt, contentLength] = [rest.readUInt16LE(10), rest.readUInt32LE(12)]
    const whole = next === 0 ? rest : rest.subarray(0, next)
    const isName = nameAt >= 16 && nameLength >= MIN_NAME && nameAt + nameLength <= whole.length
    const isContent = contentLength === 0 || (contentAt >= 16 && contentAt + contentLength <= whole.length)
    if (!isName || !isContent || found.length === MAX_CONTEXTS) return undefined
    found.push([
      whole.toString('latin1', nameAt, nameAt + nameLength),
      contentLength === 0 ? Buffer.alloc(0) : whole.subarray(contentAt, contentAt + contentLength),
    ])
    if (next === 0) return found
    if (next % 8 !== 0 || next < 16 || next > rest.length) return undefined
    rest = rest.subarray(next)
  }
  return undefined
}

// Reads the part of DER (ITU-T X.690) that SPNEGO needs: tags of one byte, definite lengths.

export interface DerValue {
  readonly tag: number
  readonly content: Buffer
  /** What follows it. */
  readonly rest: Buffer
}

/** The first value; undefined when it is cut off or its length takes more than four bytes. */
export function readDer(bytes: Buffer): DerValue | undefined {
  const [tag, first] = bytes
  if (tag === undefined || first === undefined) return undefined
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  if (first === 0x80 || lengthBytes > 4 || bytes.length < 2 + lengthBytes) return undefined
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(2, lengthBytes)
  const start = 2 + lengthBytes
  if (start + length > bytes.length) return undefined
  return { tag, content: bytes.subarray(start, start + length), rest: bytes.subarray(start + length) }
}

/** The content of the first value if it has this tag. */
export const contentOf = (bytes: Buffer, tag: number): Buffer | undefined => {
  const value = readDer(bytes)
  return value?.tag === tag ? value.content : undefined
}

const MAX_VALUES = 64

/** All values in a row; undefined when one is malformed. */
export function readAll(bytes: Buffer): readonly DerValue[] | undefined {
  const values: DerValue[] = []
  for (let rest = bytes; rest.length > 0;) {
    const value = readDer(rest)
    if (!value || values.length === MAX_VALUES) return undefined
    values.push(value)
    rest = value.rest
  }
  return values
}

// A program of Windows for tests.

export const PE_AT = 64
export const OPTIONAL_AT = PE_AT + 24

/** The smallest program that loaders take: headers and one section of `content` bytes. */
export function program({ isPlus = true, content = 512, overlay = 0 } = {}): Buffer {
  const optionalBytes = isPlus ? 240 : 224
  const sectionAt = OPTIONAL_AT + optionalBytes
  const bytes = Buffer.alloc(512 + content + overlay, 0xcc)
  bytes.fill(0, 0, 512)
  bytes.write('MZ', 0, 'latin1')
  bytes.writeUInt32LE(PE_AT, 60)
  bytes.write('PE\0\0', PE_AT, 'latin1')
  bytes.writeUInt16LE(isPlus ? 0x8664 : 0x14c, PE_AT + 4)
  bytes.writeUInt16LE(1, PE_AT + 6)
  bytes.writeUInt16LE(optionalBytes, PE_AT + 20)
  bytes.writeUInt16LE(0x0102, PE_AT + 22)
  bytes.writeUInt16LE(isPlus ? 0x20b : 0x10b, OPTIONAL_AT)
  bytes.writeUInt32LE(512, OPTIONAL_AT + 60)
  bytes.writeUInt32LE(16, OPTIONAL_AT + (isPlus ? 108 : 92))
  bytes.write('.text', sectionAt, 'latin1')
  bytes.writeUInt32LE(content, sectionAt + 16)
  bytes.writeUInt32LE(512, sectionAt + 20)
  return bytes
}

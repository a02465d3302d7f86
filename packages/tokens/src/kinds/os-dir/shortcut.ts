// A shortcut of Windows (MS-SHLLINK): it opens a path whose variables the Explorer fills in, and looks like a folder.

/** The longest path: each block of it has 260 characters, the last of which is NUL. */
export const PATH_CHARACTERS = 259

const HEADER_BYTES = 76
/** 00021401-0000-0000-C000-000000000046 */
const LINK_CLASS = '0114020000000000c000000000000046'
/** HasIconLocation, IsUnicode, HasExpString, HasExpIcon, PreferEnvironmentPath (2.1.1). */
const FLAGS = 0x40 | 0x80 | 0x200 | 0x4000 | 0x0200_0000
const SHOW_NORMAL = 1

const ICON_FILE = '%SystemRoot%\\System32\\imageres.dll'
/** A closed folder. */
const ICON_INDEX = 3

const ENVIRONMENT_BLOCK = 0xa000_0001
const ICON_ENVIRONMENT_BLOCK = 0xa000_0007
const BLOCK_BYTES = 788
const UNICODE_AT = 268

/** `path` is of ASCII, and at most `PATH_CHARACTERS` long. Times are unset, as of a link to what nobody looked at. */
export function shortcut(path: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(HEADER_BYTES)
  header.write(LINK_CLASS, 4, 'hex')
  header.writeUInt32LE(FLAGS, 20)
  header.writeInt32LE(ICON_INDEX, 56)
  header.writeUInt32LE(SHOW_NORMAL, 60)
  const blocks = [pathBlock(ENVIRONMENT_BLOCK, path), pathBlock(ICON_ENVIRONMENT_BLOCK, ICON_FILE)]
  return Buffer.concat([header, stringData(ICON_FILE), ...blocks, Buffer.alloc(4)])
}

/** A text behind its length in characters (2.4). */
function stringData(text: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16LE(text.length)
  return Buffer.concat([length, Buffer.from(text, 'utf16le')])
}

/** A path in ANSI and in Unicode (2.5.4, 2.5.5). */
function pathBlock(signature: number, path: string): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES)
  block.writeUInt32LE(BLOCK_BYTES)
  block.writeUInt32LE(signature, 4)
  block.write(path, 8, 'latin1')
  block.write(path, UNICODE_AT, 'utf16le')
  return block
}

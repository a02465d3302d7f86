// A VBA project of document modules, written from their source alone (MS-OVBA): Office compiles it when it opens it.
import type { Draws } from '../../draws.ts'
import { compoundFile } from './compound-file.ts'

export interface VbaModule {
  readonly name: string
  /** Class id of the document that the module belongs to, such as a workbook. */
  readonly baseId: string
  /** Lines end by themselves in CR LF. */
  readonly source: readonly string[]
}

const CODEPAGE = 1252
const NAME = 'VBAProject'
/** `stdole` and the library of Office; those of VBA and of the program come by themselves. */
const REFERENCES = {
  stdole:
    '*\\G{00020430-0000-0000-C000-000000000046}#2.0#0#C:\\Windows\\System32\\stdole2.tlb#OLE Automation',
  Office:
    '*\\G{2DF8D04C-5BFA-101B-BDE5-00AA0044DE52}#2.0#0#C:\\Program Files\\Common Files\\Microsoft Shared\\OFFICE16\\MSO.DLL#Microsoft Office 16.0 Object Library',
}

/** The bytes of `vbaProject.bin`. */
export function vbaProject(modules: readonly VbaModule[], draws: Draws): Buffer {
  const streams = modules.map((module): [string, Buffer] => [module.name, compressed(sourceOf(module))])
  return compoundFile({
    VBA: {
      ...Object.fromEntries(streams),
      // Version 0xffff: there is no cache of compiled code (2.3.4.1).
      _VBA_PROJECT: Buffer.from([0xcc, 0x61, 0xff, 0xff, 0, 0, 0]),
      dir: compressed(directory(modules)),
    },
    PROJECT: Buffer.from(projectText(modules, draws), 'latin1'),
    PROJECTwm: Buffer.concat([
      ...modules.map(({ name }) => Buffer.concat([Buffer.from(`${name}\0`), utf16(`${name}\0`)])),
      Buffer.alloc(2),
    ]),
  })
}

const sourceOf = ({ name, baseId, source }: VbaModule): Buffer =>
  Buffer.from(
    [
      `Attribute VB_Name = "${name}"`,
      `Attribute VB_Base = "0${baseId}"`,
      'Attribute VB_GlobalNameSpace = False',
      'Attribute VB_Creatable = False',
      'Attribute VB_PredeclaredId = True',
      'Attribute VB_Exposed = True',
      'Attribute VB_TemplateDerived = False',
      'Attribute VB_Customizable = True',
      ...source,
      '',
    ].join('\r\n'),
    'latin1',
  )

/** Id, size, content: the shape of nearly every record of the stream `dir` (2.3.4.2). */
function record(id: number, content: Buffer | string | number = Buffer.alloc(0)): Buffer {
  const bytes =
    typeof content === 'number'
      ? u32(content)
      : typeof content === 'string'
        ? Buffer.from(content, 'latin1')
        : content
  return Buffer.concat([u16(id), u32(bytes.length), bytes])
}

function directory(modules: readonly VbaModule[]): Buffer {
  return Buffer.concat([
    ...[
      record(0x01, 1),
      record(0x02, 0x409),
      record(0x14, 0x409),
      record(0x03, u16(CODEPAGE)),
      record(0x04, NAME),
    ],
    ...[record(0x05), record(0x40), record(0x06), record(0x3d), record(0x07, 0), record(0x08, 0)],
    // The version: its size counts the major number alone.
    ...[u16(0x09), u32(4), u32(1), u16(1), record(0x0c), record(0x3c)],
    ...Object.entries(REFERENCES).flatMap(([name, libid]) => [
      ...[record(0x16, name), record(0x3e, utf16(name))],
      record(0x0d, Buffer.concat([u32(libid.length), Buffer.from(libid), u32(0), u16(0)])),
    ]),
    ...[record(0x0f, u16(modules.length)), record(0x13, u16(0xffff))],
    ...modules.flatMap(({ name }) => [
      ...[record(0x19, name), record(0x47, utf16(name)), record(0x1a, name), record(0x32, utf16(name))],
      ...[record(0x1c), record(0x48), record(0x31, 0), record(0x1e, 0), record(0x2c, u16(0xffff))],
      ...[record(0x22), record(0x2b)],
    ]),
    record(0x10),
  ])
}

/** The stream PROJECT (2.3.1): not protected, without a password, visible. */
function projectText(modules: readonly VbaModule[], draws: Draws): string {
  const hex = (length: number): string => draws.text('0123456789ABCDEF', length)
  const id = `{${[8, 4, 4, 4, 12].map(hex).join('-')}}`
  const hidden = (bytes: readonly number[]): string => encrypted(bytes, id, draws.integer(0, 255))
  return [
    `ID="${id}"`,
    ...modules.map(({ name }) => `Document=${name}/&H00000000`),
    ...[`Name="${NAME}"`, 'HelpContextID="0"', 'VersionCompatible32="393222000"'],
    ...[`CMG="${hidden([0, 0, 0, 0])}"`, `DPB="${hidden([0])}"`, `GC="${hidden([0xff])}"`],
    ...['', '[Host Extender Info]', '&H00000001={3832D640-CF90-11CF-8E43-00A0C911005A};VBE;&H00000000'],
    ...['', '[Workspace]', ...modules.map(({ name }) => `${name}=0, 0, 0, 0, C`), ''],
  ].join('\r\n')
}

/** Data encryption (2.4.3.2), which hides nothing: the key is the project's id. */
function encrypted(data: readonly number[], id: string, seed: number): string {
  const key = Buffer.from(id).reduce((sum, byte) => sum + byte, 0) & 0xff
  const out = [seed, seed ^ 2, seed ^ key]
  let unencrypted = key
  const ignored = Array.from({ length: (seed & 6) / 2 }, () => 7)
  for (const byte of [...ignored, ...u32(data.length), ...data]) {
    out.push(byte ^ (((out.at(-2) ?? 0) + unencrypted) & 0xff))
    unencrypted = byte
  }
  return Buffer.from(out).toString('hex').toUpperCase()
}

/** Of one compressed chunk of literals: eight of them follow a byte of flags. */
const MAX_CHARACTERS = 3_600

/** The compressed container (2.4.1), in one chunk. */
function compressed(bytes: Buffer): Buffer {
  if (bytes.length > MAX_CHARACTERS)
    throw new Error(
      `A stream of a VBA project has at most ${MAX_CHARACTERS} bytes here, not ${bytes.length}.`,
    )
  const groups = Array.from({ length: Math.ceil(bytes.length / 8) }, (_, n) =>
    Buffer.concat([Buffer.of(0), bytes.subarray(n * 8, n * 8 + 8)]),
  )
  const data = Buffer.concat(groups)
  // Size of the chunk with its header, less 3; the signature 0b011; the flag of compression.
  return Buffer.concat([Buffer.of(1), u16((data.length - 1) | 0xb000), data])
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

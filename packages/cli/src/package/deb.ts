// A package of Debian (deb(5)), written without dpkg: an ar archive of a version, a control archive and a data archive.
import { createHash } from 'node:crypto'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { tarOf, type PackedFile, type PackedFolder } from './tar.ts'

export interface DebPackage {
  /** Fields of the control file, in their order; `Installed-Size` is added. */
  readonly control: Readonly<Record<string, string>>
  readonly scripts: Readonly<Partial<Record<'preinst' | 'postinst' | 'prerm' | 'postrm', string>>>
  readonly files: readonly PackedFile[]
  readonly folders?: readonly PackedFolder[]
}

const ZSTD_LEVEL = 3

export function debOf({ control, scripts, files, folders }: DebPackage): Buffer {
  const size = files.reduce((total, { bytes }) => total + bytes.length, 0)
  const fields = { ...control, 'Installed-Size': String(Math.ceil(size / 1024)) }
  const controlFiles: PackedFile[] = [
    {
      path: 'control',
      bytes: text(lines(Object.entries(fields).map(([name, value]) => `${name}: ${value}`))),
    },
    { path: 'md5sums', bytes: text(lines(files.map(({ path, bytes }) => `${md5(bytes)}  ${path}`).sort())) },
    ...Object.entries(scripts).map(([path, script]) => ({ path, bytes: text(script), mode: 0o755 })),
  ]
  return Buffer.concat([
    Buffer.from('!<arch>\n'),
    member('debian-binary', text('2.0\n')),
    member('control.tar.gz', gzipSync(tarOf(controlFiles))),
    member('data.tar.zst', zstd(tarOf(files, folders))),
  ])
}

const zstd = (bytes: Uint8Array): Buffer =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } })

/** ar(5): name 16, time 12, owner 6, group 6, mode 8, size 10, end 2; padded to an even length. */
function member(name: string, bytes: Uint8Array): Buffer {
  const header = `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(bytes.length).padEnd(10)}\`\n`
  return Buffer.concat([Buffer.from(header), bytes, Buffer.alloc(bytes.length & 1, '\n')])
}

const text = (content: string): Buffer => Buffer.from(content)
const lines = (content: readonly string[]): string => content.map((line) => `${line}\n`).join('')
/** What `dpkg --verify` compares: against accidents, not against an attacker. */
const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')

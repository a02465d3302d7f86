import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { packFiles, sha256 } from '@rookery/link/release/archive.ts'
import { parseManifest } from '@rookery/link/release/manifest.ts'
import { newReleaseKey } from '@rookery/link/release/signature.ts'
import { RELEASE_KEY, signedRelease } from '@rookery/link/test/signed-release.ts'
import { judgeArchive, judgeManifest, type Judge, type OfferedRelease } from './judge.ts'

const bird: Judge = {
  keys: [RELEASE_KEY],
  sensor: `${process.platform}-${process.arch}`,
  node: process.versions.node,
  version: '3.0.0',
  seq: 40,
  nowMs: Date.parse('2026-11-28T00:00:00Z'),
}
const good = signedRelease()

describe('a Bird', () => {
  it('takes a signed, newer, unexpired release for its sensor and Node', () => {
    const manifest = judgeManifest(good, bird)
    expect(manifest.version).toBe('3.1.0')
    expect(judgeArchive(manifest, good.archive)).toEqual(good.files)
  })

  it.each<[string, OfferedRelease, Partial<Judge>, RegExp]>([
    [
      'of 10 MB',
      { ...good, manifest: Buffer.alloc(10_000_000) },
      {},
      /^too large: its manifest has 10000000 bytes/,
    ],
    [
      'that is no JSON',
      { ...good, manifest: Buffer.from('PK\x03\x04') },
      {},
      /^not readable: its manifest is no JSON/,
    ],
    ['of another format', signedRelease({}, { format: 2 as 1 }), {}, /^not readable: .* the format 2;/],
    ['without a number', signedRelease({}, { seq: 0 }), {}, /^not readable: its manifest is wrong at \/seq/],
    [
      'altered after it was signed',
      { ...good, manifest: Buffer.from(good.manifest.toString().replace('3.1.0', '3.1.1')) },
      {},
      /^not signed: its signature by the key [0-9a-f]{16} is not of this manifest/,
    ],
    [
      'signed by a foreign key',
      signedRelease({}, {}, newReleaseKey().privateKey),
      {},
      /^not signed: it is signed by the key [0-9a-f]{16}, which is not trusted here/,
    ],
    [
      'with half a signature',
      { ...good, signature: good.signature.slice(0, 40) },
      {},
      /^not signed: its signature is no line/,
    ],
    [
      'of another product',
      signedRelease({}, { product: 'crow' }),
      {},
      /^other product: it is the layer app of crow/,
    ],
    [
      'of another layer',
      signedRelease({}, { layer: 'runtime' }),
      {},
      /^other product: it is the layer runtime/,
    ],
    [
      'for another CPU',
      signedRelease({}, { sensors: ['linux-riscv64'] }),
      {},
      /^other sensor: it is for linux-riscv64/,
    ],
    [
      'with the number of the last one',
      good,
      { seq: 41 },
      /^not newer: its number is 41; this Bird has accepted 41/,
    ],
    [
      'that expired by the newest time known',
      good,
      { nowMs: Date.parse('2099-01-01T00:00:00Z') },
      /^expired: it was valid until 2099/,
    ],
    ['for another Node', good, { node: '22.1.0' }, /^other Node: .*this Bird has 22\.1\.0/],
    [
      'for newer Birds',
      signedRelease({}, { needs: { node: [bird.node], app_from: '3.0.10' } }),
      { version: '3.0.9' },
      /^too far: it updates versions from 3\.0\.10 on; this Bird has 3\.0\.9/,
    ],
    [
      'with an archive of 9 MB',
      signedRelease({}, { archive: { size: 9_000_000, sha256: '0'.repeat(64) } }),
      {},
      /^too large: its archive has 9000000/,
    ],
  ])('refuses a release %s', (_what, release, change, reason) => {
    expect(() => judgeManifest(release, { ...bird, ...change })).toThrow(reason)
  })

  it('judges in the order of the list: what is first wrong is named', () => {
    const all = signedRelease(
      {},
      { product: 'crow', sensors: ['linux-riscv64'], seq: 1, expires: '2001-01-01T00:00:00Z' },
    )
    expect(() => judgeManifest({ ...all, signature: '' }, bird)).toThrow(/^not signed/)
    expect(() => judgeManifest(all, bird)).toThrow(/^other product/)
    const older = signedRelease({}, { seq: 1, expires: '2001-01-01T00:00:00Z' })
    expect(() => judgeManifest(older, bird)).toThrow(/^not newer/)
  })

  it('refuses an archive that is altered, no archive, or has other files than the manifest names', () => {
    const manifest = judgeManifest(good, bird)
    const altered = Buffer.from(good.archive)
    altered[20]! ^= 1
    expect(() => judgeArchive(manifest, altered)).toThrow(/^altered: its archive is another one/)
    const other = packFiles(new Map([['other.mjs', Buffer.from('x')]]))
    for (const [archive, reason] of [
      [other, /^altered: its file rookery-bird\.mjs is another one/],
      [zstdCompressSync(Buffer.alloc(40 * 1024 * 1024)), /^not unpackable: its archive unpacks to more/],
      [Buffer.from('no archive'), /^not unpackable/],
    ] as const) {
      const named = { size: archive.length, sha256: sha256(archive) }
      const signed = parseManifest(
        signedRelease({ 'rookery-bird.mjs': 'process.exit()' }, { archive: named }).manifest,
      )
      expect(() => judgeArchive(signed, archive)).toThrow(reason)
    }
  })
})

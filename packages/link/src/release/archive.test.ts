import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { packFiles, unpackFiles } from './archive.ts'

const files = new Map([
  ['skins/nas/index.html', randomBytes(700)],
  ['a.mjs', Buffer.from('first')],
  ['empty', Buffer.alloc(0)],
])

/** The archive after a change of its tar. */
const changed = (change: (tar: Buffer) => Buffer | void): Buffer => {
  const tar = zstdDecompressSync(packFiles(files))
  return zstdCompressSync(change(tar) ?? tar)
}

describe('the archive of a release', () => {
  it('is the same for the same files in any order, and unpacks to them', () => {
    const archive = packFiles(files)
    expect(packFiles(new Map([...files].reverse())).equals(archive)).toBe(true)
    expect(unpackFiles(archive)).toEqual(new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))))
  })

  it('is read by tar', () => {
    const tar = zstdDecompressSync(packFiles(files))
    expect(
      execFileSync('tar', ['-tvf', '-'], {
        input: tar,
        env: { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' },
      }).toString(),
    ).toMatch(
      /^-rw-r--r-- 0\/0 +5 1970-01-01 00:00 a\.mjs\n-rw-r--r-- 0\/0 +0 1970-01-01 00:00 empty\n.* 700 .* skins\/nas\/index\.html\n$/,
    )
  })

  it.each<[string, Buffer, RegExp]>([
    ['bytes that are no zstd', Buffer.from('PK'), /no zstd/],
    ['more bytes than the most', zstdCompressSync(Buffer.alloc(33 * 1024 * 1024)), /unpacks to more than/],
    ['a cut', changed((tar) => tar.subarray(0, 700)), /cut off/],
    ['no end', changed((tar) => tar.subarray(0, -512)), /two empty blocks/],
    [
      'something behind the end',
      changed((tar) => Buffer.concat([tar, Buffer.alloc(512)])),
      /two empty blocks/,
    ],
    ['a link', changed((tar) => void tar.write('2', 156)), /a\.mjs as something else/],
    ['a wrong sum', changed((tar) => void tar.write('777', 149)), /a\.mjs as something else/],
    ['a name outside', changed((tar) => void tar.write('../a', 0)), /the name "\.\.\/a/],
    ['an absolute name', changed((tar) => void tar.write('/', 0)), /the name "\//],
    [
      'a name twice',
      zstdCompressSync(Buffer.concat([firstOf(files), zstdDecompressSync(packFiles(files))])),
      /out of order/,
    ],
  ])('with %s is refused', (_what, archive, reason) => {
    expect(() => unpackFiles(archive)).toThrow(reason)
  })

  it('with any byte altered is refused with a reason, or still has names that stay inside', () => {
    const { length } = zstdDecompressSync(packFiles(files))
    for (let at = 0; at < length; at += 7) {
      const broken = changed((tar) => void (tar[at]! ^= 1 + (at % 255)))
      try {
        for (const name of unpackFiles(broken).keys()) expect(name).not.toMatch(/\.\.|^\//)
      } catch (error) {
        expect((error as Error).message, `byte ${at}`).toMatch(/^its archive/)
      }
    }
  })
})

function firstOf(all: typeof files): Buffer {
  return zstdDecompressSync(packFiles(new Map([['a.mjs', all.get('a.mjs')!]]))).subarray(0, 1024)
}

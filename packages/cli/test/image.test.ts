// `rookery image`: what it says where something is missing, and what it adds. `npm run proof -- image` builds and starts one.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { zipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { newFolder, rookery } from './run-rookery.ts'

describe('rookery image build', () => {
  it('names what is missing, and the packages of Debian that have it', async () => {
    const out = join(newFolder(), 'images')
    const { code, stderr } = await rookery(['image', 'build', '--out', out], { PATH: '/nonexistent' })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^apt-get, .*mmdebstrap, .*qemu-img(, newuidmap)? are missing\. .*: apt-get install apt /,
    )
    expect(existsSync(out)).toBe(false)
  })

  it.each(['console.example.org', "https://x.example/'; reboot", 'ftp://console.example.org'])(
    'takes no address of a console that is none: %s',
    async (url) => {
      const { code, stderr } = await rookery(['image', 'build', '--out', newFolder(), '--console', url])
      expect([code, stderr]).toEqual([
        ...[
          1,
          `--console is ${JSON.stringify(url)}; it must be an http(s) URL, such as https://console.example.org.\n`,
        ],
      ])
    },
  )
})

it.each(['package deb bird', 'package deb console', 'image build', 'release add a.tar.zst'])(
  'rookery %s says what is wrong with --release-keys',
  async (command) => {
    const folder = newFolder()
    for (const name of ['a.tar.zst', 'a.manifest.json', 'a.manifest.json.sig'])
      writeFileSync(join(folder, name), '{}')
    const keys = join(folder, 'keys.json')
    writeFileSync(keys, '[{"id":"00","key":"AA=="}]')
    const args = command.split(' ').map((word) => (word === 'a.tar.zst' ? join(folder, word) : word))
    const out = command.startsWith('release') ? [] : ['--out', folder]
    const { code, stderr } = await rookery([...args, ...out, '--release-keys', keys])
    expect(code).toBe(1)
    expect(stderr).toContain(
      args.at(-1) === 'console'
        ? '--release-keys is for the package of a Bird: the console takes no updates.'
        : `${keys} cannot be used: release-keys.json has the key 00, whose id and 32 bytes do not fit together.`,
    )
  },
)

describe('rookery image add', () => {
  it('puts an image into the data directory, and refuses what is none', async () => {
    const [dataDir, file] = [newFolder(), join(newFolder(), 'rookery-bird-3.0.0.vmx.zip')]
    writeFileSync(file, writeZip([zipEntry('rookery-bird.vmx', 'memsize = "256"')]))
    const added = await rookery(['image', 'add', file], { ROOKERY_DATA_DIR: dataDir })
    const target = join(dataDir, 'images/rookery-bird-3.0.0.vmx.zip')
    expect(added).toMatchObject({ code: 0, stdout: `${target}\n`, stderr: '' })
    writeFileSync(file, 'something else')
    const refused = await rookery(['image', 'add', file], { ROOKERY_DATA_DIR: dataDir })
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/is no image that `rookery image build` made/),
    ])
    expect(readdirSync(join(dataDir, 'images'))).toEqual(['rookery-bird-3.0.0.vmx.zip'])
    const missing = await rookery(['image', 'add', join(dataDir, 'rookery-bird-1.0.0.ova')], {
      ROOKERY_DATA_DIR: dataDir,
    })
    expect(missing.stderr).toMatch(/rookery-bird-1\.0\.0\.ova: ENOENT/)
  })
})

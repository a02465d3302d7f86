import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { readConfig } from './config.ts'
import { OPTIONS } from './options.ts'
import { ownFolder } from '../../test/own-folder.ts'

const KEY = 'ab'.repeat(32)

/** A file with the content, for its owner alone unless `mode` says otherwise. */
function fileOf(content: string, mode = 0o600): string {
  const folder = ownFolder()
  const path = join(folder, 'secret')
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

describe('a secret option', () => {
  it('is read from the file that a flag or a variable names, without its line end', () => {
    for (const end of ['', '\n', '\r\n']) {
      const path = fileOf(KEY + end)
      expect(readConfig({ ROOKERY_MASTER_KEY_FILE: path }).ROOKERY_MASTER_KEY).toBe(KEY)
      const env = { ROOKERY_MASTER_KEY: '00'.repeat(32) }
      expect(readConfig(env, { ROOKERY_MASTER_KEY_FILE: path }).ROOKERY_MASTER_KEY).toBe(KEY)
    }
  })

  it('is refused with the flag and the path where the file is none', () => {
    const folder = join(fileOf(''), '../folder')
    mkdirSync(folder)
    const cases: [path: string, reason: string][] = [
      [join(folder, 'missing'), 'ENOENT'],
      [folder, 'it is a folder'],
      [fileOf(''), 'the file is empty'],
      [fileOf('\n'), 'the file is empty'],
      [fileOf(`${KEY}\n${KEY}\n`), 'more than one line'],
      [fileOf('a'.repeat(70_000)), '70000 bytes'],
      [fileOf('s3cret'), 'must be 64 hex digits; its value is not shown'],
    ]
    for (const [path, reason] of cases) {
      let message = ''
      try {
        readConfig({}, { ROOKERY_MASTER_KEY_FILE: path })
      } catch (error) {
        message = (error as Error).message
      }
      expect(message).toContain(reason)
      expect(message).toContain('--master-key-file')
      expect(message).toContain(path)
      expect(message).not.toContain('s3cret')
    }
    expect(() => readConfig({}, { ROOKERY_MASTER_KEY_FILE: '' })).toThrow(
      '--master-key-file must be the path',
    )
  })

  it('in a file that others may read is taken with a warning', () => {
    const warnings: string[] = []
    const path = fileOf(KEY, 0o640)
    readConfig({ ROOKERY_MASTER_KEY_FILE: path }, {}, (warning) => warnings.push(warning))
    expect(warnings).toEqual([
      `ROOKERY_MASTER_KEY_FILE ${path}: the file has mode 640, so others may read the secret. Run chmod 600.`,
    ])
    readConfig({ ROOKERY_MASTER_KEY_FILE: fileOf(KEY) }, {}, (warning) => warnings.push(warning))
    expect(warnings).toHaveLength(1)
  })

  it('may have several lines where it may be a PEM', () => {
    const lines = ['-----BEGIN PRIVATE KEY-----', 'AAAA', '-----END PRIVATE KEY-----']
    for (const end of ['\n', '\r\n']) {
      const pem = lines.join(end)
      const env = { ROOKERY_ENTRA_CREDENTIAL_FILE: fileOf(pem + end) }
      expect(readConfig(env).ROOKERY_ENTRA_CREDENTIAL).toBe(pem)
    }
  })

  it.each(Object.entries(OPTIONS).filter(([, { secret }]) => secret))(
    'has a flag for its file alone: %s',
    (_name, { flag }) => expect(flag).toMatch(/-file$/),
  )

  it('is given once', () => {
    const env = { ROOKERY_MASTER_KEY: KEY, ROOKERY_MASTER_KEY_FILE: fileOf(KEY) }
    expect(() => readConfig(env)).toThrow('ROOKERY_MASTER_KEY and ROOKERY_MASTER_KEY_FILE are both set')
  })
})

it('a default is taken unchecked, since a check may load much, and each is one that would be accepted', () => {
  const options = Object.entries(OPTIONS).filter(([, option]) => option.default !== '')
  const checks = options.map(([, option]) => vi.spyOn(option, 'accepts'))
  readConfig({})
  for (const check of checks) expect(check).not.toHaveBeenCalled()
  vi.restoreAllMocks()
  for (const [name, option] of options) expect(option.accepts(option.default), name).toBe(true)
})

it('an option that is no secret has no variable for a file', () => {
  expect(() => readConfig({ ROOKERY_LISTEN_FILE: '/etc/hosts' })).toThrow(
    'ROOKERY_LISTEN_FILE is not an option',
  )
})

describe.each(['ROOKERY_TRUSTED_PROXIES', 'ROOKERY_TOKENS_PROXY_PROTOCOL'] as const)('%s', (name) => {
  it('refuses a range that believes half the Internet, and says what would be right', () => {
    for (const wide of ['0.0.0.0/0', '10.0.0.1,10.0.0.0/7', '::/0', '2000::/15', '::ffff:0:0/96'])
      expect(() => readConfig({ [name]: wide })).toThrow(
        `${name} must be CIDR ranges, none wider than /8 (IPv6: /16, but fc00::/7), separated by commas, not "${wide}".`,
      )
  })

  it('takes the ranges of a network, and addresses', () => {
    const proxies = '10.0.0.0/8, 192.0.2.7, 2001:db8::/32,fd00::/8'
    expect(readConfig({ [name]: proxies })[name]).toBe(proxies)
  })
})

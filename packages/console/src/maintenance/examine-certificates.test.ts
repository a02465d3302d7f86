import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeAuthority } from '../../test/certificates.ts'
import { ownFolder } from '../../test/own-folder.ts'
import { openAuthority } from '../channels/http/tls/own-authority.ts'
import { readConfig } from '../config/config.ts'
import { systemClock, systemRandom } from '../world/system.ts'
import { examineCertificates, examineConsoleCertificates } from './examine-certificates.ts'

const DAY_MS = 86_400_000
const authority = makeAuthority()

/** What doctor says of files for these hosts, and of the own authority in `folder`. */
function examine(env: Readonly<Record<string, string>>, folder = ownFolder(), now = Date.now()) {
  const found = examineCertificates({ tokensAuthority: join(folder, 'tokens-ca.pem') }, readConfig(env), now)
  return found.map(({ ok, text }) => [ok, text.replaceAll(`${folder}/`, '')])
}

function filesFor(folder: string, host: string, notAfter?: number): Readonly<Record<string, string>> {
  const { cert, key } = authority.issue([host], notAfter === undefined ? {} : { notAfter })
  const [ROOKERY_TOKENS_TLS_CERT, ROOKERY_TOKENS_TLS_KEY] = [
    join(folder, 'cert.pem'),
    join(folder, 'key.pem'),
  ]
  writeFileSync(ROOKERY_TOKENS_TLS_CERT, cert)
  writeFileSync(ROOKERY_TOKENS_TLS_KEY, key, { mode: 0o600 })
  return { ROOKERY_TOKENS_TLS_CERT, ROOKERY_TOKENS_TLS_KEY }
}

it('a sound certificate is shown with its names and its end', () => {
  const folder = ownFolder()
  const env = filesFor(folder, 'files.example.com', Date.UTC(2060, 0, 2))
  const sound = [[true, 'cert.pem is for files.example.com until 2060-01-02']]
  expect(examine(env, folder)).toEqual(sound)
  expect(examine({ ...env, ROOKERY_TOKENS_TLS_URL: 'https://files.example.com:8443/' }, folder)).toEqual(
    sound,
  )
})

it('that of the console is examined with its own options', () => {
  const folder = ownFolder()
  const { ROOKERY_TOKENS_TLS_CERT: ROOKERY_TLS_CERT = '', ROOKERY_TOKENS_TLS_KEY: ROOKERY_TLS_KEY = '' } =
    filesFor(folder, 'console.example.com', Date.UTC(2060, 0, 2))
  const of = (env: Readonly<Record<string, string>>) =>
    examineConsoleCertificates(readConfig(env), Date.now()).map(({ ok, text }) => [
      ok,
      text.replaceAll(`${folder}/`, ''),
    ])
  const env = { ROOKERY_TLS_LISTEN: '0.0.0.0:8443', ROOKERY_TLS_CERT, ROOKERY_TLS_KEY }
  const sound = [true, 'cert.pem is for console.example.com until 2060-01-02']
  expect(of({})).toEqual([])
  expect(of(env)).toEqual([sound])
  expect(of({ ...env, ROOKERY_PUBLIC_URL: 'https://other.example.com:8443' })).toEqual([
    sound,
    [false, 'No certificate is for other.example.com, which ROOKERY_PUBLIC_URL names: clients refuse it.'],
  ])
  // That of a proxy.
  expect(of({ ...env, ROOKERY_PUBLIC_URL: 'https://other.example.com' })).toEqual([sound])
  expect(of({ ROOKERY_TLS_LISTEN: '0.0.0.0:8443' })).toEqual([
    [
      false,
      'ROOKERY_TLS_LISTEN is 0.0.0.0:8443, and ROOKERY_TLS_CERT names no file: name a certificate and, in ROOKERY_TLS_KEY, its key.',
    ],
  ])
  expect(of({ ROOKERY_TLS_CERT, ROOKERY_TLS_KEY })).toEqual([
    [false, expect.stringContaining('ROOKERY_TLS_CERT is set, and ROOKERY_TLS_LISTEN is not')],
  ])
})

it('its addresses are shown in the spelling of every other page', () => {
  const folder = ownFolder()
  const env = filesFor(folder, '2001:db8:0:0::1', Date.UTC(2060, 0, 2))
  expect(examine(env, folder)).toEqual([[true, 'cert.pem is for 2001:db8::1 until 2060-01-02']])
})

it('one that clients refuse is wrong: expired, or for another host', () => {
  const folder = ownFolder()
  const env = filesFor(folder, 'files.example.com', Date.now() - 3_600_000)
  expect(examine(env, folder)).toEqual([
    [false, expect.stringMatching(/cert\.pem expired on .* renew it\.$/)],
  ])
  const url = { ROOKERY_TOKENS_TLS_URL: 'https://other.example.com' }
  expect(examine({ ...env, ...url }, folder)[1]).toEqual([
    false,
    'No certificate is for other.example.com, which ROOKERY_TOKENS_TLS_URL names: clients refuse it.',
  ])
})

it('a file that cannot be used, and a key that everybody may read, are named', () => {
  const folder = ownFolder()
  const env = filesFor(folder, 'files.example.com', Date.UTC(2060, 0, 2))
  chmodSync(env['ROOKERY_TOKENS_TLS_KEY'] ?? '', 0o644)
  expect(examine(env, folder)).toEqual([
    [false, expect.stringContaining('key.pem has mode 644: everybody may read the key: chmod o= key.pem.')],
  ])
  writeFileSync(env['ROOKERY_TOKENS_TLS_CERT'] ?? '', '')
  expect(examine(env, folder)).toEqual([
    [false, expect.stringMatching(/^ROOKERY_TOKENS_TLS_CERT: cert\.pem holds no certificate/)],
  ])
  expect(examine({ ...env, ROOKERY_TOKENS_TLS_KEY: '' }, folder)).toEqual([
    [false, expect.stringMatching(/^ROOKERY_TOKENS_TLS_CERT names 1 file, and ROOKERY_TOKENS_TLS_KEY none/)],
  ])
})

it('the own authority is shown with its name, before and after it is made, and when it ends', () => {
  const folder = ownFolder()
  const path = join(folder, 'tokens-ca.pem')
  expect(examine({}, folder)).toEqual([
    [true, expect.stringContaining('the next start makes an authority in tokens-ca.pem')],
  ])
  openAuthority(path, { clock: systemClock, random: systemRandom })
  expect(examine({}, folder)).toEqual([
    [
      true,
      expect.stringMatching(
        /one of its own authority, CN=Internal CA [0-9a-f]{8} in tokens-ca\.pem, until 20/,
      ),
    ],
  ])
  expect(examine({}, folder, Date.now() + 3_650 * DAY_MS)).toEqual([
    [
      false,
      expect.stringMatching(
        /in tokens-ca\.pem expired on .*: remove tokens-ca\.pem, and the next start makes another\.$/,
      ),
    ],
  ])
  writeFileSync(path, 'nothing')
  expect(examine({}, folder)).toEqual([
    [false, expect.stringContaining('tokens-ca.pem is no certificate authority')],
  ])
})

import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeAuthority } from '../../../../test/certificates.ts'
import { manualClock } from '../../../../test/manual-clock.ts'
import { ownFolder } from '../../../../test/own-folder.ts'
import { readConfig } from '../../../config/config.ts'
import { systemRandom } from '../../../world/system.ts'
import { openCertificateSource, ownHosts } from './certificate-source.ts'

const DAY_MS = 86_400_000

function openSource(env: Readonly<Record<string, string>>, folder: string) {
  const clock = manualClock(Date.now())
  const paths = { tokensAuthority: join(folder, 'tokens-ca.pem') }
  return { clock, source: openCertificateSource(readConfig(env), paths, { clock, random: systemRandom }) }
}

it('a file that is replaced, missing or a link to itself is another version, and back again', () => {
  const folder = ownFolder()
  const { cert, key } = makeAuthority()
  const [certificate, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(certificate, cert)
  writeFileSync(keyFile, key)
  const env = { ROOKERY_TOKENS_TLS_CERT: certificate, ROOKERY_TOKENS_TLS_KEY: keyFile }
  const { source } = openSource(env, folder)
  const versions = [source.version()]
  expect(source.version()).toBe(versions[0])
  renameSync(certificate, join(folder, 'moved.pem'))
  versions.push(source.version())
  expect(() => source.read()).toThrow(`ROOKERY_TOKENS_TLS_CERT: ${certificate} cannot be read: ENOENT`)
  symlinkSync(certificate, certificate)
  versions.push(source.version())
  expect(() => source.read()).toThrow('cannot be read: ELOOP')
  rmSync(certificate)
  writeFileSync(certificate, cert)
  versions.push(source.version())
  expect(source.read()).toHaveLength(1)
  expect(new Set(versions).size).toBe(4)
})

it('the own authority certifies the token host anew before its certificate ends', () => {
  const { clock, source } = openSource({}, ownFolder())
  const [version, [first]] = [source.version(), source.read()]
  clock.advance(299 * DAY_MS)
  expect(source.version()).toBe(version)
  clock.advance(2 * DAY_MS)
  expect(source.version()).not.toBe(version)
  const [second] = source.read()
  expect(second.x509.validToDate.getTime()).toBeGreaterThan(first.x509.validToDate.getTime() + 300 * DAY_MS)
  expect(second.x509.checkIssued(first.issuers[0]!)).toBe(true)
})

it('the own certificate is for the hosts of both URLs, the token domain and this machine, each once', () => {
  const env = {
    ROOKERY_TOKENS_URL: 'http://files.example.com:8081',
    ROOKERY_TOKENS_TLS_URL: 'https://[2001:db8::7]',
    ROOKERY_TOKENS_DOMAIN: 'Tokens.Example.com',
    ROOKERY_TOKENS_TLS_LISTEN: '127.0.0.1:0',
  }
  expect(ownHosts(readConfig(env))).toEqual([
    ...['2001:db8::7', 'files.example.com', 'tokens.example.com', '*.tokens.example.com'],
    ...['127.0.0.1', 'localhost', '::1'],
  ])
  expect(ownHosts(readConfig({ ROOKERY_TOKENS_TLS_LISTEN: '0.0.0.0:443' }))).toEqual([
    ...['tokens.localhost', '*.tokens.localhost', 'localhost', '127.0.0.1', '::1'],
  ])
  const { source } = openSource(env, ownFolder())
  const [{ x509 }] = source.read()
  expect([x509.checkIP('2001:db8::7'), x509.checkHost('a.tokens.example.com')]).not.toContain(undefined)
})

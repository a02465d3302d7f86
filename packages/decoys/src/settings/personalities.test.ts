import { expect, it } from 'vitest'
import { descriptors } from '../descriptors.gen.ts'
import { builtInPersonalities, personalitySettings } from './personalities.ts'
import { defaultSettings } from '../../test/default-settings.ts'
import { checkSettings } from './settings.ts'

it('a personality is there once each of its services is', () => {
  const names = (...services: string[]): string[] =>
    builtInPersonalities(services.map((service) => ({ service }))).map(({ name }) => name)
  expect(names('ssh', 'ftp')).toEqual(['linux-server'])
  expect(names('ssh', 'redis')).toEqual([])
  expect(names('ssh', 'redis', 'dbsrv_b')).toEqual(['linux-database'])
  expect(names('smb')).toEqual(['windows-file-server'])
  expect(names('ssh', 'ftp', 'http', 'redis')).toEqual(['default', 'linux-server'])
  expect(names('ssh', 'ftp', 'http', 'smb')).toEqual(['linux-server', 'windows-file-server', 'nas'])
  expect(names('smb', 'vnc')).toEqual(['windows-file-server', 'windows-workstation'])
  expect(names('smb', 'dbsrv_a')).toEqual(['windows-file-server', 'windows-sql-server'])
  expect(names('ssh', 'http', 'https')).toEqual(['web-server'])
})

it('a network storage has Samba, not Windows', () => {
  const nas = builtInPersonalities(descriptors).find(({ name }) => name === 'nas')
  expect(personalitySettings(nas!)).toMatchObject({ 'smb.enabled': true, 'smb.mode': 'samba' })
})

it('a web server has Apache with TLS, to which it redirects, and SSH', () => {
  const webServer = builtInPersonalities(descriptors).find(({ name }) => name === 'web-server')
  expect(personalitySettings(webServer!)).toEqual({
    'ssh.enabled': true,
    'http.enabled': true,
    'https.enabled': true,
    'http.skin': 'apache-default',
    'https.redirect_http.enabled': true,
  })
})

it('the settings of every personality can be used together', () => {
  for (const personality of builtInPersonalities(descriptors)) {
    const settings = defaultSettings(descriptors, {
      'device.name': 'Bird',
      ...personalitySettings(personality),
    })
    expect(checkSettings(descriptors, settings), personality.name).toEqual({})
  }
})

it('a line of a scan is that of a service of the personality, and another than its own', () => {
  for (const { name, services, scanLines = {} } of builtInPersonalities(descriptors))
    for (const [service, line] of Object.entries(scanLines)) {
      expect(services, name).toContain(service)
      const own = descriptors.find((descriptor) => descriptor.service === service)!
      expect(line, name).toMatch(new RegExp(`^\\{port\\}/${own.transport} open \\S+`))
      expect(line, name).not.toBe('scanLine' in own ? own.scanLine : '')
    }
})

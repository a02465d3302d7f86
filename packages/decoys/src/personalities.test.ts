import { expect, it } from 'vitest'
import { builtInPersonalities } from './personalities.ts'

it('a personality is there once each of its services is', () => {
  const names = (...services: string[]): string[] =>
    builtInPersonalities(services.map((service) => ({ service }))).map(({ name }) => name)
  expect(names('ssh', 'ftp')).toEqual(['linux-server'])
  expect(names('ssh', 'redis')).toEqual([])
  expect(names('ssh', 'redis', 'dbsrv_b')).toEqual(['linux-database'])
  expect(names('smb')).toEqual(['windows-file-server'])
  expect(names('ssh', 'ftp', 'http', 'redis')).toEqual(['default', 'linux-server', 'web-server'])
})

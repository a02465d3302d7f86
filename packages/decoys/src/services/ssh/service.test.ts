import { expect, test } from 'vitest'
import { testContext } from '../../../test/session-context.ts'
import ssh from './service.ts'
import { defaultVersion, versions } from './products/openssh/versions/all.ts'

test('nothing listens unless SSH is enabled', () => {
  expect(ssh.listeners({})).toEqual([])
  expect(ssh.listeners({ 'ssh.enabled': true })).toMatchObject([
    { instance: 'ssh', port: 22, transport: 'tcp' },
  ])
})

test('the greeting names the version of the settings; an unknown one becomes the default', () => {
  for (const [setting, expected] of [
    ...versions.map(({ software }) => [software, software]),
    ['Nonsense_1.0', defaultVersion.software],
  ]) {
    const [listener] = ssh.listeners({ 'ssh.enabled': true, 'ssh.port': 2222, 'ssh.version': setting })
    expect(listener!.port).toBe(2222)
    expect(listener!.startSession(testContext()).open().send).toBe(`SSH-2.0-${expected}\r\n`)
  }
})

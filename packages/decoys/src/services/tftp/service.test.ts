// The file of a router: its story, and nothing of anybody.
import { expect, test } from 'vitest'
import { readRequest } from '../../../lab/tftp/client.ts'
import { defaultSettings } from '../../../test/default-settings.ts'
import { deriveFrom, testContext } from '../../../test/session-context.ts'
import { descriptors } from '../../descriptors.gen.ts'
import { storyOf } from '../../machine/story.ts'
import service from './service.ts'

const ROUTER = { 'http.enabled': true, 'http.skin': 'router' }

function read(name: string, changes: object, seed = 'bird-1'): string {
  const settings = defaultSettings(descriptors, { 'device.name': 'Bird', 'tftp.enabled': true, ...changes })
  const [listener] = service.listeners(settings)
  const session = listener!.startSession(testContext({ derive: deriveFrom(seed) }))
  session.open()
  const asked = readRequest(name, 'octet', [['blksize', '2048']])
  const replies = [...session.receive(asked), ...session.receive(Buffer.from('\0\x04\0\0', 'latin1'))]
  return replies.map(({ send = '' }) => send.toString('latin1')).join('')
}

test('a router serves its configuration, with its name, its address and its users', () => {
  const story = storyOf(defaultSettings(descriptors, ROUTER), deriveFrom('bird-1'))
  const text = read('startup-config', ROUTER)
  expect(text).toContain(`\nhostname ${story.hostName}\n`)
  expect(text).toContain('\n ip address 192.0.2.1 255.255.255.0\n')
  for (const user of story.users.slice(0, 2))
    expect(text).toContain(`\nusername ${user} privilege 15 secret 5 $1$`)
  expect(text.slice(text.indexOf('!')).length).toBeLessThan(2_048)
  expect(text.match(/\$1\$[./\dA-Za-z]{4}\$[./\dA-Za-z]{21}[./01]\n/g)).toHaveLength(3)
})

test('it was changed after the machine was installed, on a day that has that name', () => {
  const { installedAt } = storyOf(defaultSettings(descriptors, ROUTER), deriveFrom('bird-1'))
  const [, time, day, date] = /change at (\S+) UTC (\w+) (\w+ \d+ \d+) by /.exec(
    read('startup-config', ROUTER),
  )!
  const changedAt = new Date(`${date} ${time} UTC`)
  expect(changedAt.toUTCString().slice(0, 3)).toBe(day)
  expect(changedAt.getTime()).toBeGreaterThan(installedAt)
})

test('another router has another name and other secrets, the same one always the same', () => {
  expect(read('startup-config', ROUTER)).toBe(read('/startup-config', ROUTER))
  const [one, other] = ['bird-1', 'bird-2'].map((seed) =>
    read('startup-config', ROUTER, seed).match(/\$1\$\S+|hostname \S+/g)!,
  )
  for (const secret of one!) expect(other).not.toContain(secret)
})

test('a machine that is no router has no file', () => {
  for (const changes of [{}, { 'http.enabled': true, 'http.skin': 'nas' }])
    expect(read('startup-config', changes)).toBe('\0\x05\0\x01File not found\0')
})

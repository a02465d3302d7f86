// What each setting of Telnet changes for an intruder.
import { expect, test } from 'vitest'
import { refuseAll } from '../../../lab/telnet/client.ts'
import { telnetDefaults } from '../../../lab/telnet/defaults.ts'
import { CLOSE, type Turn } from '../../../lab/telnet/dialogue.ts'
import { replayDialogue } from '../../../lab/telnet/replay.ts'

/** All that an intruder sees who tries to log in once. */
function seen(changes: Record<string, string>): string {
  const turns: Turn[] = [
    ...refuseAll().map(({ send }) => ({ send })),
    { send: 'root\r\n' },
    { send: 'toor\r\n', awaits: CLOSE },
  ]
  return replayDialogue({ name: '', turns }, telnetDefaults(changes)).said.join('')
}

test.each([
  ['telnet.banner', 'Authorised use only\nof %h', /\r\nAuthorised use only\r\nof [a-z]+-[0-9a-f]{6}\r\n\r\n/],
  ['telnet.banner', '%s|%r', /\r\nLinux\|6\.1\.0-\d\d-amd64\r\n/],
  ['telnet.banner', '', /\xff\xfd\x00[a-z]+-[0-9a-f]{6} login: /],
  ['telnet.user_prompt', 'Username: ', /Username: root\r\n/],
  ['telnet.password_prompt', 'Kennwort: ', /\nKennwort: \r\n/],
  ['telnet.authentication_failed_prompt', '% Authentication failed', /\r\n% Authentication failed\r\n/],
])('%s %j is what an intruder sees', (key, value, expected) => {
  expect(seen({ [key]: value })).toMatch(expected)
  expect(seen({})).not.toMatch(expected)
})

import { expect, test } from 'vitest'
import { ipStack } from './ip-stack.ts'

/** As Linux has them at first; `fails` on the first write. */
function files(fails?: string) {
  const values: Record<string, string> = {
    'ipv4/ip_default_ttl': '64',
    'ipv4/tcp_timestamps': '1',
    'ipv4/tcp_rmem': '4096\t131072\t33554432',
  }
  const written: string[] = []
  return {
    values,
    written,
    read: (name: string) => values[name]!,
    write(name: string, value: string) {
      if (fails) throw Object.assign(new Error(fails), { code: fails })
      values[name] = value
      written.push(name)
    },
  }
}

const WINDOWS = { 'smb.enabled': true, 'smb.mode': 'windows-server-2019' }
const LINUX = { 'ssh.enabled': true }

test('a Windows share has Windows’ TTL, no timestamps and its scale; Debian its own; a device what was there before', () => {
  const { values, ...rest } = files()
  const apply = ipStack(rest)
  expect(apply(WINDOWS)).toBeUndefined()
  expect(Object.values(values)).toEqual(['128', '0', '4096 131072 16776960'])
  expect(apply(LINUX)).toBeUndefined()
  expect(Object.values(values)).toEqual(['64', '1', '4096 131072 6291456'])
  expect(apply({ 'http.enabled': true, 'http.skin': 'printer' })).toBeUndefined()
  expect(Object.values(values)).toEqual(['64', '1', '4096 131072 33554432'])
})

test('a stack that is as it should be is not written', () => {
  const { written, ...rest } = files()
  const apply = ipStack(rest)
  apply(WINDOWS)
  apply(WINDOWS)
  expect(written).toHaveLength(3)
})

test('a namespace that may not be set says what to set', () => {
  const sentence = ipStack(files('EROFS'))(WINDOWS)
  expect(sentence).toMatch(/^The IP stack cannot be set \(EROFS\)/)
  expect(sentence).toContain('net.ipv4.ip_default_ttl="128"')
})

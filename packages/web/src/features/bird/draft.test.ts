import { expect, it } from 'vitest'
import { cardsOf, changesOf, readText, withEdit, type Draft } from './draft.ts'
import type { Setting } from './queries.ts'

const setting = (more: Partial<Setting>): Setting => ({
  type: 'text',
  title: 'x',
  description: '',
  default: '',
  since: '3.0.0',
  fixed: false,
  secret: false,
  service: 'ssh',
  service_title: 'SSH server',
  ...more,
})
const none: Draft = new Map()

it('what is typed becomes the value that the setting takes, or says why it cannot', () => {
  expect(readText(setting({ type: 'integer' }), '2222')).toEqual({ text: '2222', value: 2222 })
  expect(readText(setting({ type: 'integer' }), '22x').error).toContain('number')
  expect(readText(setting({ type: 'object' }), '{"a":"b"}').value).toEqual({ a: 'b' })
  expect(readText(setting({ type: 'tree' }), '[').error).toContain('JSON')
  expect(readText(setting({}), ' 7 ').value).toBe(' 7 ')
})

it('a setting that is back at its value is no change', () => {
  const settings = { 'ssh.port': 22, 'http.headers': { a: '1' } }
  const one = withEdit(none, settings, 'ssh.port', { text: '2222', value: 2222 })
  expect(changesOf(one)).toEqual({ 'ssh.port': 2222 })
  expect(withEdit(one, settings, 'ssh.port', { text: '22', value: 22 }).size).toBe(0)
  expect(withEdit(none, settings, 'http.headers', { text: '', value: { a: '1' } }).size).toBe(0)
})

it('settings stand with their service, its switch and port first, the machine last', () => {
  const schema = {
    'device.name': setting({ service: 'device', service_title: '' }),
    'ssh.banner': setting({}),
    'ssh.enabled': setting({}),
    'ssh.port': setting({}),
    'ftp.port': setting({ service: 'ftp', service_title: 'FTP server' }),
  }
  const cards = cardsOf(schema, (key) => key !== 'ssh.banner')
  expect(cards.map(({ service, keys }) => [service, ...keys])).toEqual([
    ['ftp', 'ftp.port'],
    ['ssh', 'ssh.enabled', 'ssh.port'],
    ['device', 'device.name'],
  ])
})

import { expect, it } from 'vitest'
import { isMirrorAddress, mirrorProblem } from './mirror.ts'

it.each([
  '10.0.0.8',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '192.0.2.1',
  '8.8.8.8',
  'fd00::8',
  '2001:db8::1',
  '::ffff:10.0.0.8',
])('a mirror may be at %s', (address) => expect(isMirrorAddress(address)).toBe(true))

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['127.255.0.9', '127.255.0.9'],
  ['0.0.0.0', '0.0.0.0'],
  ['169.254.169.254', '169.254.169.254'],
  ['100.100.100.200', '100.100.100.200'],
  ['168.63.129.16', '168.63.129.16'],
  ['255.255.255.255', '255.255.255.255'],
  ['::1', '[::1]'],
  ['::', '[::]'],
  ['fe80::1', '[fe80::1]'],
  ['fd00:ec2::254', '[fd00:ec2::254]'],
  ['::ffff:127.0.0.1', '[::ffff:127.0.0.1]'],
  ['::ffff:169.254.169.254', '[::ffff:a9fe:a9fe]'],
])('no mirror is at %s, in whatever spelling of a URL', (address, host) => {
  expect(isMirrorAddress(address)).toBe(false)
  expect(mirrorProblem(`http://${host}/a`)).toMatch(/^is at .*loopback, link-local or metadata/)
})

it.each(['http://2130706433/', 'http://0x7f.1/', 'http://127.1/', 'http://0251.0376.0251.0376/'])(
  'the URL %s is loopback or metadata in another spelling',
  (url) => expect(mirrorProblem(url)).toMatch(/^is at (127\.0\.0\.1|169\.254\.169\.254), /),
)

it.each([
  '',
  'a',
  '/a',
  'ftp://10.0.0.8/a',
  'file:///etc/passwd',
  'http://u:p@10.0.0.8/a',
  'http://u@10.0.0.8/',
])('the URL %j is refused with what would be right', (url) =>
  expect(mirrorProblem(url)).toMatch(/^must be an http or https address without a user name, such as/),
)

it.each(['http://10.0.0.8:8080/a', 'https://mirror.example.com/a?b=c', 'http://[fd00::8]/a'])(
  'the URL %s may be a mirror',
  (url) => expect(mirrorProblem(url)).toBeUndefined(),
)

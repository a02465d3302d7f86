import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyCharacter } from '@rookery/kernel/test/any-character.ts'
import { looksLike } from './looks-like.ts'

it.each([
  ['curl/8.5.0', 'curl 8.5.0, a program'],
  ['python-requests/2.31.0', 'python-requests 2.31.0, a program'],
  ['git/2.39.5', 'git 2.39.5, a program'],
  ['npm/11.6.2 node/v24.11.0 linux x64 workspaces/false', 'npm 11.6.2, a program'],
  ['SVN/1.14.2 (x86_64-pc-linux-gnu) serf/1.3.9', 'SVN 1.14.2, a program'],
  ['kubectl/v1.32.4 (linux/amd64) kubernetes/4cb5f07', 'kubectl 1.32.4, a program'],
  [
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Slackbot-LinkExpanding 1.0, a link preview',
  ],
  ['facebookexternalhit/1.1', 'Facebook 1.1, a link preview'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot 2.1, a crawler'],
  ['Mozilla/5.0 zgrab/0.x', 'zgrab 0.x, a scanner'],
  ['Mozilla/5.0 (compatible; Nmap Scripting Engine; https://nmap.org/book/nse.html)', 'nmap, a scanner'],
  ['LibreOffice 7.4.7.2 denylistedbackend/7.88.1', 'LibreOffice 7.4.7.2, an office program'],
  [
    'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-GB) WindowsPowerShell/5.1.22621.2506',
    'PowerShell 5.1.22621.2506, a program',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox 132.0 on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
    'Edge 131.0.0.0 on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1',
    'Safari 17.6 on iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    'Chrome 131.0.0.0 on Android',
  ],
])('%s is %s', (userAgent, client) => {
  expect(looksLike(userAgent)).toBe(client)
})

it.each(['', 'digit/2.0', 'curlew/1.0', 'Mozilla/5.0', 'Chrome', 'my-git-mirror'])(
  'a text that names nobody known is nobody: %j',
  (userAgent) => {
    expect(looksLike(userAgent)).toBeUndefined()
  },
)

it('any text is a short line or nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      for (const userAgent of [text, `curl/${text}`, `Mozilla/5.0 Firefox/1${text}`])
        expect(looksLike(userAgent) ?? '').toMatch(/^[\w .,/-]{0,80}$/)
    }),
  )
})

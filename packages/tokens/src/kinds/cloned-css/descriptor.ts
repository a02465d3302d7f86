import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'cloned-css',
  name: 'Cloned site (CSS)',
  shelf: 'Cloned sites',
  keywords: ['css', 'clone', 'phishing', 'stylesheet', 'login page', 'adversary in the middle', 'proxy'],
  firedBy:
    'A browser that shows a page with this CSS on another site than the expected one, such as a copy made for phishing.',
  silencedBy:
    'It stays silent when the copy leaves the CSS out or the browser sends no Referer header, and on the expected site itself.',
  placement: [
    'Add it to the style sheet of your own login page, where only CSS can be changed.',
    'Put it into the custom branding of a service that many people log in to.',
  ],
  logtype: '17025',
  keys: ['referer', 'referer_host', 'expected_referrer', 'useragent', 'ja4'],
  evidence: ['referer_host', 'useragent', 'expected_referrer'],
  meaning:
    'A copy of your page was shown by the site in referer_host. The source address is that of its visitor, who may be a victim.',
  next: [
    'Open nothing on that site; have its provider and its registrar take it down, and block its name.',
    'Find the person at the source address: what they typed there is known to others. Change their passwords and end their sessions.',
    'If the site is yours, create a token that expects it.',
  ],
  needsHttps: true,
  showsPicture: true,
  example: {
    settings: { expected_referrer: 'login.example.com' },
    touch: 'curl -s -o /dev/null -e https://copy.example.net/ "$(field url)"',
  },
  settings: {
    expected_referrer: {
      type: 'domain',
      description: 'The domain of the real site, which does not fire; without it every site fires',
    },
  },
})

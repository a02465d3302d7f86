import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'cloned-web',
  name: 'Cloned site (script)',
  shelf: 'Cloned sites',
  keywords: ['clone', 'phishing', 'javascript', 'script', 'web site', 'copy', 'proxy'],
  firedBy:
    'A browser that runs the script on a page of another site than yours, such as a copy made for phishing.',
  silencedBy:
    'It stays silent when the copy leaves the script out or forbids it, on your own site, in files, and on the sites of its ignore list: at first this machine, translators and web archives.',
  placement: [
    'Paste the script into the pages that are worth copying, such as the login page.',
    'Hide it in a script that the page needs: a copy without it does not work.',
  ],
  logtype: '17003',
  keys: ['location', 'referer', 'useragent'],
  evidence: ['location', 'referer', 'useragent'],
  meaning:
    'A copy of your page was shown at the address in location. The source address is that of its visitor, who may be a victim.',
  next: [
    'Open nothing at that address; have its provider and its registrar take it down, and block its name.',
    'Find the person at the source address: what they typed there is known to others. Change their passwords and end their sessions.',
    'If the site is yours, create a token for its domain.',
  ],
  ignoresSites: true,
  needsHttps: true,
  showsPicture: true,
  example: {
    settings: { cloned_web: 'www.example.com' },
    touch: 'curl -s -o /dev/null "$(field url)?l=https%3A%2F%2Fcopy.example.net%2F"',
  },
  settings: {
    cloned_web: {
      type: 'domain',
      description: 'The domain of your site; it and hosts below it do not fire',
      required: true,
    },
  },
})

import { REQUEST_KEYS } from '../../channels/http/request-fields.ts'
import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'fast-redirect',
  name: 'Fast redirect',
  shelf: 'Links and pages',
  keywords: ['redirect', 'url', 'link', 'short link', 'forward', '302', 'qr'],
  firedBy: 'Any HTTP request for the URL; the visitor is at the target at once and sees nothing of it.',
  silencedBy:
    'It stays silent where the network cannot reach the token host, and where only the text of the link is read.',
  placement: [
    'Plant it as the link to a real page, such as a login or a wiki, in a document that nobody should follow.',
    'Save it as a bookmark on a jump host or in a password manager.',
    'Put it behind a short link whose clicks you want to hear of.',
  ],
  logtype: '17016',
  keys: REQUEST_KEYS,
  evidence: ['useragent', 'referer', 'method'],
  meaning:
    'Somebody followed a link that was planted. They arrived at its target and do not know that they were seen.',
  next: [
    'Find out who used the source address at that time, and who can read the place that the memo names.',
    'Look in the log of the target for the same address: what they did next stands there.',
    'If a known scanner followed it, ignore its address.',
  ],
  example: {
    settings: { browser_redirect_url: 'https://www.example.com/' },
    touch: 'curl -s -o /dev/null "$(field url)"',
  },
  settings: {
    browser_redirect_url: {
      type: 'url',
      description: 'Where the visitor is led, on another host than those of the console',
      elsewhere: true,
      required: true,
    },
  },
})

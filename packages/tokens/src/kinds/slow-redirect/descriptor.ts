import { REQUEST_KEYS } from '../../channels/http/request-fields.ts'
import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'slow-redirect',
  name: 'Slow redirect',
  shelf: 'Links and pages',
  keywords: ['redirect', 'url', 'link', 'short link', 'forward', 'fingerprint', 'browser'],
  firedBy:
    'Any HTTP request for the URL; a browser reports what it says of itself and is at the target within two seconds.',
  silencedBy:
    'It stays silent where the network cannot reach the token host; without scripts it fires, and reports nothing more.',
  placement: [
    'Plant it as the link to a real page, such as a login or a wiki, in a document that nobody should follow.',
    'Save it as a bookmark on a jump host or in a password manager.',
    'Put it behind a short link whose clicks you want to hear of.',
  ],
  logtype: '17017',
  keys: [...REQUEST_KEYS, 'location', 'additional_info'],
  evidence: ['useragent', 'additional_info', 'referer'],
  meaning:
    'Somebody followed a link that was planted. If the event has additional_info, a browser ran the page, and no robot.',
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

import { REQUEST_KEYS } from '../../channels/http/request-fields.ts'
import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'http',
  name: 'Web bug',
  shelf: 'Links and pages',
  keywords: ['url', 'link', 'web bug', 'tracking pixel', 'image', 'wiki', 'e-mail', 'bookmark'],
  firedBy:
    'Any HTTP request for the URL, whatever its method: by a browser, a script, a link preview or a crawler.',
  silencedBy:
    'It stays silent where the network cannot reach the token host, and where a mail program or an editor does not load remote images.',
  placement: [
    'Paste the URL into a wiki page or a note that only an intruder would search, next to words such as password or backup.',
    'Put the invisible image into a document or an e-mail that nobody should open.',
    'Save the URL as a bookmark or in a password manager, under the name of an internal system.',
  ],
  logtype: '17000',
  keys: [...REQUEST_KEYS, 'location', 'additional_info'],
  evidence: ['useragent', 'referer', 'method'],
  meaning:
    'Somebody found the URL where it was planted and opened it. Nobody has a reason to, unless a scanner or a preview reads that place.',
  next: [
    'Find out who used the source address at that time, and who can read the place that the memo names.',
    'If a known scanner opened it, ignore its address; if not, treat what lies in that place as read by an intruder.',
    'Plant a new token there: this one is known.',
  ],
  example: { touch: 'curl -s -o /dev/null "$(field url)"' },
  settings: {
    browser_scanner_enabled: {
      type: 'boolean',
      description: 'Answer browsers with a page that reports what the browser says of itself',
      default: true,
    },
  },
})

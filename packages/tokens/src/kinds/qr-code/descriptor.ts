import { REQUEST_KEYS } from '../../channels/http/request-fields.ts'
import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'qr-code',
  name: 'QR code',
  shelf: 'Links and pages',
  keywords: ['qr', 'code', 'sticker', 'poster', 'printed', 'phone', 'camera', 'badge'],
  firedBy: 'Any HTTP request for the URL in the code, mostly by the phone that scanned it.',
  silencedBy:
    'It stays silent where phones cannot reach the token host, and where the code is only looked at. Some cameras fetch a preview.',
  placement: [
    'Print it and stick it where only an intruder would scan it: in a server room, on a cabinet, in a drawer.',
    'Put it on a sheet with a title such as "WLAN for administrators".',
    'Paste the picture into a document or a chat that nobody should read.',
  ],
  logtype: '17009',
  keys: [...REQUEST_KEYS, 'location', 'additional_info'],
  evidence: ['useragent', 'additional_info', 'method'],
  meaning: 'Somebody scanned the code where it was placed and opened its address, mostly with a phone.',
  next: [
    'Find out who was at the place that the memo names at that time: cameras, door logs, visitors.',
    'The user agent tells the kind of phone; the source address is mostly that of its carrier.',
    'Print a new code for that place: this one is known.',
  ],
  downloads: true,
  needsShortUrl: true,
  example: {
    needs: ['zbarimg'],
    touch: 'download code.png && curl -s -o /dev/null "$(zbarimg -q --raw code.png)"',
  },
})

import { REQUEST_KEYS } from '../../channels/http/request-fields.ts'
import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'web-image',
  name: 'Web image',
  shelf: 'Links and pages',
  keywords: ['image', 'picture', 'photo', 'logo', 'web', 'png', 'jpeg', 'gif', 'pixel'],
  firedBy: 'Any HTTP request for the picture: a page or a mail that shows it, or somebody who opens it.',
  silencedBy:
    'It stays silent where the network cannot reach the token host, and in mail programs that load no pictures. Proxies of mail services fetch it in the place of the reader.',
  placement: [
    'Show it on a page that only few people should find, such as a wiki page with passwords.',
    'Put it into the signature or the body of a mail that nobody should forward.',
    'Use it as the logo of a document that loads its pictures from the web.',
  ],
  logtype: '17001',
  keys: REQUEST_KEYS,
  evidence: ['referer', 'useragent', 'method'],
  meaning: 'Somebody looked at the page or the mail that shows the picture, or opened its address.',
  next: [
    'The referer names the page that showed the picture. Look whether it is the place of the memo or a copy of it.',
    'Find out who used the source address at that time.',
    'If it is the proxy of a mail service, ask the recipients: the proxy hides the reader.',
  ],
  showsPicture: true,
  example: {
    settings: { web_image: '@packages/decoys/src/services/http/skins/iis-default/iisstart.png' },
    touch: 'curl -s -o /dev/null "$(field url)"',
  },
  settings: {
    web_image: {
      type: 'file',
      description: 'The picture that the URL shows, as it is',
      required: true,
      maxBytes: 5 * 1024 * 1024,
      formats: ['png', 'jpeg', 'gif', 'webp', 'ico', 'svg'],
    },
  },
})

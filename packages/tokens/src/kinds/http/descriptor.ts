import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'http',
  name: 'Web bug',
  logtype: '17000',
  summary: 'Decoytoken triggered',
  slug: 'decoytoken',
  downloads: false,
  settings: {
    browser_scanner_enabled: {
      type: 'boolean',
      title: 'Answer browsers with a page instead of an image',
      required: false,
      default: true,
    },
  },
})

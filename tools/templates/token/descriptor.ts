import { describeKind } from '@rookery/tokens/descriptor.ts'

export const descriptor = describeKind({
  kind: 'some-name',
  name: 'Some name',
  logtype: '',
  summary: '',
  slug: 'decoytoken',
  downloads: false,
  settings: {},
})

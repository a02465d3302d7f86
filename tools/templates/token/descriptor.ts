import { describeKind } from '@rookery/tokens/descriptor.ts'

export const descriptor = describeKind({
  kind: 'some-name',
  name: 'Some name',
  shelf: '',
  keywords: [],
  firedBy: '',
  silencedBy: '',
  placement: [],
  logtype: '',
  summary: '',
  slug: 'decoytoken',
  level: 'used',
  keys: [],
  evidence: [],
  meaning: '',
  next: [],
  downloads: false,
  example: { settings: {}, needs: [], touch: '' },
  settings: {},
})

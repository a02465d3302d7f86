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
  keys: [],
  evidence: [],
  meaning: '',
  next: [],
  example: { touch: '' },
})

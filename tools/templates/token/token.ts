// Some name: what an intruder takes it for, and what makes it fire.
import { pixel } from '@rookery/tokens/channels/http/blank.ts'
import { token } from '@rookery/tokens/token.ts'
import { descriptor } from './descriptor.ts'

export default token(descriptor, {
  renders: () => ({}),
  on: { http: { answer: () => pixel } },
})

// A payment card that its issuer reports each use of. Number and security code are shown by the answer of its creation alone.
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

export default token(descriptor, {
  renders: (_address, _settings, issued = {}) => ({ ...issued }),
  on: {},
})

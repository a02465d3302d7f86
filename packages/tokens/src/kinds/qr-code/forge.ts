import { forge } from '../../forge.ts'
import { pngOf } from '../../qr/png.ts'
import { qrSymbol } from '../../qr/symbol.ts'
import { descriptor } from './descriptor.ts'

export default forge(descriptor, {
  file: ({ address: { url } }) => ({
    filename: 'qr-code.png',
    contentType: 'image/png',
    bytes: pngOf(qrSymbol(url)),
  }),
})

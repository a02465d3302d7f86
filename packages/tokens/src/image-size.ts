// Width and height of a picture, from its header. Nothing is decoded.
//
//   PNG   8 signature, 8 length and type of IHDR, 4 width BE, 4 height BE (W3C PNG, 11.2.2)
//   GIF   6 signature, 2 width LE, 2 height LE (GIF89a, 18)
//   JPEG  segments: FF, marker, 2 length BE; SOFn has 1 precision, 2 height BE, 2 width BE (ITU-T T.81, B.2.2)
//   ICO   6 header with 2 count LE at 4, then 16 each: 1 width, 1 height, of which 0 is 256
//   WebP  12 RIFF header, 4 type of the first chunk, 4 length, then by type (RFC 9649)

export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Of a PNG, JPEG, GIF, WebP or ICO (its first picture); undefined when the header is not whole. */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    switch (bytes[0]) {
      case 0x89:
        return { width: view.getUint32(16), height: view.getUint32(20) }
      case 0:
        return view.byteLength < 6 + 16 * Math.max(1, view.getUint16(4, true))
          ? undefined
          : { width: view.getUint8(6) || 256, height: view.getUint8(7) || 256 }
      case 0x47:
        return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
      case 0xff:
        return jpegSize(view)
      case 0x52:
        return webpSize(view)
      default:
        return undefined
    }
  } catch (error) {
    // A read behind the end.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** SOF0 to SOF15, without DHT (C4), JPG (C8) and DAC (CC). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function jpegSize(view: DataView): ImageSize | undefined {
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    // A marker may be preceded by fill bytes.
    if (marker === 0xff) at += 1
    else if (isFrame(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    // Behind the start of scan lies compressed data.
    else if (marker === 0xda) return undefined
    else at += 2 + view.getUint16(at + 2)
  }
}

function webpSize(view: DataView): ImageSize | undefined {
  switch (view.getUint8(15)) {
    // 'VP8X': 24 bits each, less one.
    case 0x58:
      return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) }
    // 'VP8L': a signature byte, then 14 bits each, less one.
    case 0x4c: {
      const bits = view.getUint32(21, true)
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
    }
    // 'VP8 ': a frame tag and a start code of three bytes each, then 14 bits each.
    case 0x20:
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  }
  return undefined
}

const uint24 = (view: DataView, at: number): number =>
  view.getUint16(at, true) | (view.getUint8(at + 2) << 16)

// RC4, with which NTLM wraps session keys ([MS-NLMP] 3.4.3). Node's OpenSSL has it no longer.

export function rc4(key: Buffer, text: Buffer): Buffer {
  const box = Uint8Array.from({ length: 256 }, (_, i) => i)
  const swap = (a: number, b: number): void => void ([box[a], box[b]] = [box[b]!, box[a]!])
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + box[i]! + key[i % key.length]!) & 0xff
    swap(i, j)
  }
  const out = Buffer.alloc(text.length)
  for (let n = 0, i = 0, j = 0; n < text.length; n += 1) {
    i = (i + 1) & 0xff
    j = (j + box[i]!) & 0xff
    swap(i, j)
    out[n] = text[n]! ^ box[(box[i]! + box[j]!) & 0xff]!
  }
  return out
}

import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { makeChain, type KeyPair } from '../../authenticode/certificates.ts'
import { imageDigest, readPeImage, withSignature } from '../../authenticode/pe-image.ts'
import { signatureOf } from '../../authenticode/signature.ts'
import { nxName } from '../../channels/dns/nx-name.ts'
import { openDraws } from '../../draws.ts'
import { forge } from '../../forge.ts'
import { pastMoment } from '../../pretexts/past-moment.ts'
import { readingUpload } from '@rookery/kernel/unusable-file.ts'
import { descriptor } from './descriptor.ts'

const RSA_BITS = 2_048
/** The first day and the last one: every signing certificate is younger, and ends earlier. */
const AUTHORITY_MADE = ['2015-01-01', '2023-12-31'] as const

const FIRST_WORDS = [
  'Alder',
  'Brook',
  'Corran',
  'Dell',
  'Elm',
  'Fen',
  'Hollow',
  'Larch',
  'Marsh',
  'Tarn',
] as const
const SECOND_WORDS = ['bridge', 'field', 'gate', 'mere', 'ridge', 'stead', 'well', 'wick'] as const
const TRADES = ['Data', 'Networks', 'Software', 'Systems', 'Technologies'] as const

const makeKeys = async (): Promise<KeyPair> => promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS })

export default forge(descriptor, {
  async file({ address, settings: { exe, exe_publisher }, uploads: { exe: uploaded }, derive }) {
    const image = await readingUpload('exe', () => readPeImage(uploaded ?? Buffer.alloc(0)))
    const draws = openDraws(derive, 'publisher')
    const invented = `${draws.pick(FIRST_WORDS)}${draws.pick(SECOND_WORDS)} ${draws.pick(TRADES)}`
    const [authority, signer] = await Promise.all([makeKeys(), makeKeys()])
    const urlAt = (way: string, path: string): string => `http://${nxName(address, way)}/${path}`
    const chain = makeChain(
      { authority, signer },
      {
        publisher: exe_publisher ?? invented,
        validity: {
          signer: { notBefore: Date.parse(pastMoment(draws)), years: draws.integer(8, 12) },
          authority: {
            notBefore: Date.parse(pastMoment(draws, ...AUTHORITY_MADE)),
            years: draws.integer(25, 35),
          },
        },
        serials: { authority: derive('serial of the authority', 16), signer: derive('serial', 16) },
        urls: { crl: urlAt('crl', 'ca.crl'), issuer: urlAt('aia', 'ca.cer'), ocsp: urlAt('ocsp', '') },
      },
    )
    return {
      filename: exe.filename,
      contentType: exe.contentType,
      bytes: withSignature(image, signatureOf(imageDigest(image), signer.privateKey, chain)),
    }
  },
})

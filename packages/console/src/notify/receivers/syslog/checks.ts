// What is wrong with the certificates of a collector, before it is added.
import { X509Certificate, createPrivateKey, type KeyObject } from 'node:crypto'
import { invalidParameter } from '@rookery/kernel/fault.ts'

/** Throws a `bad-input` that names the parameter for PEM that is none, or does not belong together. */
export function checkCertificates(
  protocol: string,
  { ca, client_cert, client_key }: Record<'ca' | 'client_cert' | 'client_key', string>,
): void {
  const given = Object.entries({ ca, client_cert, client_key }).filter(([, pem]) => pem !== '')
  const [first] = given
  if (first && protocol !== 'tls') throw invalidParameter(first[0], 'is for the protocol tls alone')
  if ((client_cert === '') !== (client_key === ''))
    throw invalidParameter(client_cert === '' ? 'client_cert' : 'client_key', 'is required with the other')
  for (const [name, pem] of given) {
    if (name === 'client_key') privateKey(pem)
    else certificate(name, pem)
  }
  if (client_cert !== '' && !certificate('client_cert', client_cert).checkPrivateKey(privateKey(client_key)))
    throw invalidParameter('client_key', 'is not the key of client_cert')
}

function certificate(name: string, pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw invalidParameter(name, 'must be a certificate as PEM text (-----BEGIN CERTIFICATE-----)')
  }
}

function privateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw invalidParameter('client_key', 'must be a private key as PEM text, without a passphrase')
  }
}

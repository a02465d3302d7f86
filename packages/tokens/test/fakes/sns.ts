// Messages as SNS signs them, with a certificate of its own; written apart from what verifies them.
import { generateKeyPairSync, sign, type KeyPairKeyObjectResult } from 'node:crypto'
import { distinguishedName, certificatePem, signCertificate } from '@rookery/kernel/x509-certificate.ts'

export const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:rookery'

const YEAR_MS = 365 * 86_400_000

export interface FakeSns {
  readonly certificatePem: string
  /** The body of a request that delivers it. */
  notification(message: string, facts?: Partial<Record<string, string>>): string
  confirmation(subscribeUrl: string, facts?: Partial<Record<string, string>>): string
}

export const newSnsKeys = (): KeyPairKeyObjectResult => generateKeyPairSync('rsa', { modulusLength: 2_048 })

/** `host` is where the certificate is said to be. */
export function fakeSns(
  at: number,
  host = 'https://sns.eu-west-1.amazonaws.com',
  { publicKey, privateKey } = newSnsKeys(),
): FakeSns {
  const name = distinguishedName('sns.amazonaws.com')
  const certificate = signCertificate(
    {
      serial: Buffer.of(7),
      issuer: name,
      subject: name,
      extensions: [],
      notBefore: at - YEAR_MS,
      notAfter: at + YEAR_MS,
      publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    },
    { keyType: 'rsa', sign: (body) => sign('sha256', body, privateKey) },
  )

  function signed(values: Record<string, string | undefined>, keys: readonly string[]): string {
    const text = keys
      .filter((key) => values[key] !== undefined)
      .map((key) => `${key}\n${values[key]}\n`)
      .join('')
    const hash = values['SignatureVersion'] === '1' ? 'sha1' : 'sha256'
    return JSON.stringify({
      ...values,
      Signature: sign(hash, Buffer.from(text), privateKey).toString('base64'),
    })
  }

  const common = {
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: TOPIC,
    Timestamp: new Date(at).toISOString(),
    SignatureVersion: '2',
    SigningCertURL: `${host}/SimpleNotificationService-0000000000000000000000.pem`,
  }
  return {
    certificatePem: certificatePem(certificate),
    notification: (message, facts = {}) =>
      signed({ Type: 'Notification', Message: message, ...common, ...facts }, [
        ...['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
      ]),
    confirmation: (subscribeUrl, facts = {}) =>
      signed(
        {
          Type: 'SubscriptionConfirmation',
          Token: '2336412f37',
          SubscribeURL: subscribeUrl,
          Message: `You have chosen to subscribe to the topic ${TOPIC}.`,
          ...common,
          ...facts,
        },
        ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
      ),
  }
}
